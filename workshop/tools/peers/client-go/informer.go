package main

import (
	"bufio"
	"os"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// told is one call of a handler, or the store when somebody asked for it.
type told struct {
	Type       string            `json:"type"`
	Key        string            `json:"key,omitempty"`
	Version    string            `json:"version,omitempty"`
	OldVersion string            `json:"oldVersion,omitempty"`
	Initial    bool              `json:"initial,omitempty"`
	Unknown    bool              `json:"unknown,omitempty"`
	Store      map[string]string `json:"store,omitempty"`
}

var printing sync.Mutex

func tell(line told) {
	printing.Lock()
	defer printing.Unlock()
	if err := printer.Encode(line); err != nil {
		fail(err)
	}
}

func versionOf(object any) string {
	return object.(metav1.Object).GetResourceVersion()
}

func keyOf(object any) string {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		fail(err)
	}
	return key
}

func handler() cache.ResourceEventHandlerDetailedFuncs {
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, initial bool) {
			tell(told{Type: "added", Key: keyOf(object), Version: versionOf(object), Initial: initial})
		},
		UpdateFunc: func(old, object any) {
			tell(told{Type: "updated", Key: keyOf(object), Version: versionOf(object), OldVersion: versionOf(old)})
		},
		DeleteFunc: func(object any) {
			line := told{Type: "deleted", Key: keyOf(object)}
			if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
				line.Unknown, object = true, tombstone.Obj
			}
			line.Version = versionOf(object)
			tell(line)
		},
	}
}

func runInformer(url, namespace string) {
	client, err := dynamic.NewForConfig(&rest.Config{Host: url, UserAgent: "client-go"})
	if err != nil {
		fail(err)
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	informer := factory.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Informer()
	registration, err := informer.AddEventHandler(handler())
	if err != nil {
		fail(err)
	}
	stop := make(chan struct{})
	factory.Start(stop)
	cache.WaitForCacheSync(stop, registration.HasSynced)
	tell(told{Type: "synced"})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) != "store" {
			fail("Expected store, got " + lines.Text())
		}
		store := map[string]string{}
		for _, object := range informer.GetStore().List() {
			store[keyOf(object)] = versionOf(object)
		}
		tell(told{Type: "store", Store: store})
	}
	close(stop)
	factory.Shutdown()
}
