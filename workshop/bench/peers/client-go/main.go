// client-go as a side of `npm run bench -- peers`: the same lists and watches as the other sides, as JSON or as protobuf.
//
//	client-go measure '{"url":...,"path":...}'   an informer; prints its figures
//	client-go serve '{"url":...,"path":...}'     takes a list and a watch of the benchmark's server and serves them as protobuf; prints its URL
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// options are those of every side of the traffic benchmark.
type options struct {
	URL        string `json:"url"`
	Path       string `json:"path"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	WarmUp     int    `json:"warmUp"`
	Events     int    `json:"events"`
	Protobuf   bool   `json:"protobuf"`
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) != 3 {
		check(fmt.Errorf("expected measure or serve, and options as JSON"))
	}
	var given options
	check(json.Unmarshal([]byte(os.Args[2]), &given))
	if os.Args[1] == "serve" {
		serve(given)
		return
	}
	check(json.NewEncoder(os.Stdout).Encode(measure(given)))
}
