package main

import (
	"net/http"
	"net/url"
	"path"
	"runtime"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// cpu is the processor time of this process so far, in milliseconds.
func cpu() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

// heap is what is retained, in bytes.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

func clientOf(given options) (*rest.RESTClient, schema.GroupVersion) {
	version := must(schema.ParseGroupVersion(given.APIVersion))
	apiPath := "/apis"
	if version.Group == "" {
		apiPath = "/api"
	}
	config := &rest.Config{Host: given.URL, APIPath: apiPath, QPS: -1}
	config.GroupVersion = &version
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.DisableCompression = true
	if given.Protobuf {
		config.ContentType = kruntime.ContentTypeProtobuf
		config.AcceptContentTypes = kruntime.ContentTypeProtobuf
	}
	return must(rest.RESTClientFor(config)), version
}

func measure(given options) map[string]float64 {
	client, version := clientOf(given)
	resource := path.Base(given.Path)
	example := must(scheme.Scheme.New(version.WithKind(given.Kind)))
	source := cache.NewListWatchFromClient(client, resource, metav1.NamespaceAll, fields.Everything())
	informer := cache.NewSharedIndexInformer(source, example, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	warm, done := make(chan struct{}), make(chan struct{})
	count := 0
	seen := func() {
		count++
		if count == given.WarmUp {
			close(warm)
		}
		if count == given.WarmUp+given.Events {
			close(done)
		}
	}
	registration := must(informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(_ any, initial bool) {
			if !initial {
				seen()
			}
		},
		UpdateFunc: func(_, _ any) { seen() },
		DeleteFunc: func(any) { seen() },
	}))
	before, wall := cpu(), time.Now()
	stop := make(chan struct{})
	go informer.Run(stop)
	cache.WaitForCacheSync(stop, registration.HasSynced)
	listMs, listWallMs := cpu()-before, float64(time.Since(wall).Microseconds())/1e3
	listHeap := heap()
	target := must(url.Parse(given.URL))
	go func() {
		answer := must(http.Post(strings.TrimSuffix(given.URL, target.Path)+"/send"+target.Path, "", nil))
		check(answer.Body.Close())
	}()
	<-warm
	before, wall = cpu(), time.Now()
	<-done
	eventMs, wallMs := cpu()-before, float64(time.Since(wall).Microseconds())/1e3
	return map[string]float64{
		"listMs": listMs, "listWallMs": listWallMs, "listHeap": listHeap, "listExternal": 0,
		"eventUs": eventMs * 1000 / float64(given.Events), "wallMs": wallMs, "heap": heap(), "external": 0,
		"count": float64(len(informer.GetStore().ListKeys())),
	}
}
