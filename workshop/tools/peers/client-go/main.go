// What client-go and controller-runtime make of the same history as rx-informer: workshop/spec/peers asks it and compares.
//
//	client-go informer URL NAMESPACE   an informer of config maps: a line for each call of its handlers; `store` on stdin prints the store
//	client-go fifo                     runs scripts for DeltaFIFO, one a line
//	client-go elector ELECTION         a candidate for a lease: a line when it leads, and when it does not any more
//	client-go manager ELECTION         the same of a manager of controller-runtime; its process ends with its leadership
//	client-go queue                    runs scripts for work queues and rate limiters, one a line
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// printer writes answers, one JSON value a line.
var printer = json.NewEncoder(os.Stdout)

// eachLine decodes every line of stdin and prints what answer makes of it.
func eachLine[In, Out any](answer func(In) Out) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var in In
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			fail(err)
		}
		if err := printer.Encode(answer(in)); err != nil {
			fail(err)
		}
	}
}

func fail(problem any) {
	fmt.Fprintln(os.Stderr, problem)
	os.Exit(1)
}

func main() {
	switch {
	case len(os.Args) == 4 && os.Args[1] == "informer":
		runInformer(os.Args[2], os.Args[3])
	case len(os.Args) == 3 && os.Args[1] == "elector":
		runElector(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "manager":
		runManager(os.Args[2])
	case len(os.Args) == 2 && os.Args[1] == "fifo":
		eachLine(runFifo)
	case len(os.Args) == 2 && os.Args[1] == "queue":
		eachLine(runQueue)
	default:
		fail("Expected informer URL NAMESPACE, elector ELECTION, manager ELECTION, fifo or queue")
	}
}
