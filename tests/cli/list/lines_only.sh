# Lines of no function, as gcov's text has them: what may be asked for, and what it gives.
{
	echo '        -:    0:Source:a.c'
	echo '        3:    2:int f(int n)'
	echo '        7:    4:	return n;'
} >a.c.gcov
printf '\nint f(int n)\n{\n\treturn n;\n}\n' >a.c
assay list f a.c.gcov || true
assay list a.c:4 a.c.gcov
