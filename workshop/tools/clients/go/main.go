// What programs in Go do with an API server: a line of JSON for every case, with what went wrong.
//
//	go-clients client-go KUBECONFIG            client-go: clientsets in JSON and protobuf, dynamic, metadata, informers, events, leases
//	go-clients controller-runtime KUBECONFIG   controller-runtime: managers that elect a leader, caches, controllers
//	go-clients messages                        the protobuf messages of every kind, for workshop/tools/packProtobuf.ts
package main

import (
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func configOf(path string) *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config.QPS = -1
	return config
}

func main() {
	klog.SetLogger(logr.Discard())
	log.SetLogger(logr.Discard())
	switch {
	case len(os.Args) == 2 && os.Args[1] == "messages":
		printMessages()
	case len(os.Args) == 3 && os.Args[1] == "client-go":
		runClientGo(configOf(os.Args[2]))
	case len(os.Args) == 3 && os.Args[1] == "controller-runtime":
		runControllerRuntime(configOf(os.Args[2]))
	default:
		fmt.Fprintln(os.Stderr, "Expected client-go KUBECONFIG, controller-runtime KUBECONFIG, or messages")
		os.Exit(1)
	}
}
