// SPDX-License-Identifier: Apache-2.0

// A service with Go's own pages of profiles: prints where it listens, and ends with its input.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
)

var sum int

//go:noinline
func burn() {
	for i := 0; i < 1000000; i++ {
		sum += i * i
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, nil)
	go func() {
		for {
			burn()
		}
	}()
	fmt.Printf("http://%s\n", listener.Addr())
	io.Copy(io.Discard, os.Stdin)
}
