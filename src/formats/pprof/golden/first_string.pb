


€‡§€­â€  
ÿÿÿÿÿÿÿÿÿ€Óûÿÿÿÿÿ€€€€À€ € (
08"€‚€"	"€„€""*
 (* *		 2x2samples2count2cpu2nanoseconds2main2_main2a.c2inner2leaf2	/bin/prog2c0ffee2thread2worker2bytes2	a comment2https://example.org/doc2	runtime.*2keepme