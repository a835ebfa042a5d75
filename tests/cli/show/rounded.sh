# Times are the nearest hundredth of a second, as the page has them: 1.136 s are 1.14 s.
echo '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"f"}}],
"startTime":0,"endTime":1136000,"samples":[2,2],"timeDeltas":[0,1136000]}' >short.cpuprofile
assay short.cpuprofile | grep -o 'recorded in.*'
