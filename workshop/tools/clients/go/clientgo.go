package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// clients are what the cases of client-go use.
type clients struct {
	config   *rest.Config
	typed    kubernetes.Interface
	dynamic  dynamic.Interface
	metadata metadata.Interface
}

func clientsOf(config *rest.Config) clients {
	return clients{config, got(kubernetes.NewForConfig(config)), got(dynamic.NewForConfig(config)), got(metadata.NewForConfig(config))}
}

// inProtobuf asks for answers in protobuf, as components of Kubernetes do, and sends it.
func inProtobuf(config *rest.Config) *rest.Config {
	copied := rest.CopyConfig(config)
	copied.ContentType = runtime.ContentTypeProtobuf
	copied.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return copied
}

// namespace makes one for a case.
func (c clients) namespace(ctx context.Context) string {
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "case-"}}
	return got(c.typed.CoreV1().Namespaces().Create(ctx, object, metav1.CreateOptions{})).Name
}

func runClientGo(config *rest.Config) {
	for form, one := range map[string]*rest.Config{"JSON": config, "protobuf": inProtobuf(config)} {
		c := clientsOf(one)
		c.typedCases(form)
		c.subresourceCases(form)
		c.watchCases(form)
	}
	c := clientsOf(config)
	c.dynamicCases()
	c.toolCases()
	c.discoveryCases()
}
