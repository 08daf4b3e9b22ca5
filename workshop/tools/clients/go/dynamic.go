package main

import (
	"context"

	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
var websites = schema.GroupVersionResource{Group: "clients.example.com", Version: "v1", Resource: "websites"}

func websiteDefinition() *extensions.CustomResourceDefinition {
	minimum, preserve := float64(0), true
	spec := extensions.JSONSchemaProps{Type: "object", Required: []string{"image"}, Properties: map[string]extensions.JSONSchemaProps{
		"image":    {Type: "string", MinLength: new(int64)},
		"replicas": {Type: "integer", Minimum: &minimum, Default: &extensions.JSON{Raw: []byte("1")}},
	}}
	status := extensions.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &preserve}
	return &extensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "websites.clients.example.com"},
		Spec: extensions.CustomResourceDefinitionSpec{
			Group: "clients.example.com", Scope: extensions.NamespaceScoped,
			Names: extensions.CustomResourceDefinitionNames{Plural: "websites", Singular: "website", Kind: "Website", ListKind: "WebsiteList"},
			Versions: []extensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &extensions.CustomResourceSubresources{
					Status: &extensions.CustomResourceSubresourceStatus{},
					Scale:  &extensions.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"},
				},
				Schema: &extensions.CustomResourceValidation{OpenAPIV3Schema: &extensions.JSONSchemaProps{
					Type: "object", Properties: map[string]extensions.JSONSchemaProps{"spec": spec, "status": status},
				}},
			}},
		},
	}
}

// define puts the definition of websites in place, and waits until they are served.
func define(ctx context.Context, config *rest.Config) {
	definitions := got(extensionsclient.NewForConfig(config)).ApiextensionsV1().CustomResourceDefinitions()
	_, err := definitions.Create(ctx, websiteDefinition(), metav1.CreateOptions{})
	expect(err == nil || apierrors.IsAlreadyExists(err), "a definition, got %v", err)
	eventually(ctx, "the definition to be established", func() bool {
		for _, condition := range got(definitions.Get(ctx, "websites.clients.example.com", metav1.GetOptions{})).Status.Conditions {
			if condition.Type == extensions.Established && condition.Status == extensions.ConditionTrue {
				return true
			}
		}
		return false
	})
}

func website(name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "clients.example.com/v1", "kind": "Website", "metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

func (c clients) dynamicCases() {
	for form, config := range map[string]*rest.Config{"JSON": c.config, "protobuf": inProtobuf(c.config)} {
		run("apiextensions, "+form+": defines a kind", func(ctx context.Context) {
			_ = got(extensionsclient.NewForConfig(config)).ApiextensionsV1().CustomResourceDefinitions().Delete(ctx, "websites.clients.example.com", metav1.DeleteOptions{})
			eventually(ctx, "an older definition to go", func() bool {
				_, err := c.dynamic.Resource(websites).List(ctx, metav1.ListOptions{})
				return apierrors.IsNotFound(err)
			})
			define(ctx, config)
			eventually(ctx, "websites to be served", func() bool {
				_, err := c.dynamic.Resource(websites).List(ctx, metav1.ListOptions{})
				return err == nil
			})
		})
	}
	run("dynamic: writes custom resources, their statuses and scales", func(ctx context.Context) {
		define(ctx, c.config)
		resource := c.dynamic.Resource(websites).Namespace(c.namespace(ctx))
		created := got(resource.Create(ctx, website("a", map[string]any{"image": "x"}), metav1.CreateOptions{}))
		replicas, _, _ := unstructured.NestedInt64(created.Object, "spec", "replicas")
		equal(replicas, 1)
		_, err := resource.Create(ctx, website("b", map[string]any{"replicas": int64(-1)}), metav1.CreateOptions{})
		expect(apierrors.IsInvalid(err), "that it is invalid, got %v", err)
		must(unstructured.SetNestedField(created.Object, int64(7), "status", "replicas"))
		must(unstructured.SetNestedField(created.Object, "y", "spec", "image"))
		created = got(resource.UpdateStatus(ctx, created, metav1.UpdateOptions{}))
		image, _, _ := unstructured.NestedString(created.Object, "spec", "image")
		equal(image, "x")
		scaled := got(resource.Patch(ctx, "a", types.MergePatchType, []byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{}, "scale"))
		equal(scaled.GetKind(), "Scale")
		applied := got(resource.Apply(ctx, "a", website("a", map[string]any{"image": "z"}), metav1.ApplyOptions{FieldManager: "me", Force: true}))
		image, _, _ = unstructured.NestedString(applied.Object, "spec", "image")
		equal(image, "z")
		must(resource.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	})
	run("dynamicinformer: follows custom resources", func(ctx context.Context) {
		define(ctx, c.config)
		namespace := c.namespace(ctx)
		factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(c.dynamic, 0, namespace, nil)
		lines := make(chan string, 10)
		got(factory.ForResource(websites).Informer().AddEventHandler(note(lines)))
		ended, stop := context.WithCancel(ctx)
		factory.Start(ended.Done())
		factory.WaitForCacheSync(ctx.Done())
		resource := c.dynamic.Resource(websites).Namespace(namespace)
		got(resource.Create(ctx, website("a", map[string]any{"image": "x"}), metav1.CreateOptions{}))
		equal(next(ctx, "a website", lines), "added a false")
		must(resource.Delete(ctx, "a", metav1.DeleteOptions{}))
		equal(next(ctx, "the end", lines), "deleted a")
		stop()
		factory.Shutdown()
	})
	c.metadataCases()
}

func (c clients) metadataCases() {
	run("metadata: gets, lists, watches and patches metadata alone", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		got(c.typed.CoreV1().ConfigMaps(namespace).Create(ctx, configMap("a", map[string]string{"k": "v"}), metav1.CreateOptions{}))
		resource := c.metadata.Resource(configMaps).Namespace(namespace)
		equal(got(resource.Get(ctx, "a", metav1.GetOptions{})).Labels["app"], "a")
		list := got(resource.List(ctx, metav1.ListOptions{}))
		equal(list.Items[0].Labels["app"], "a")
		stream := got(resource.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion}))
		defer stream.Stop()
		got(resource.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"tier":"x"}}}`), metav1.PatchOptions{}))
		event := next(ctx, "a change", stream.ResultChan())
		equal(event.Object.(*metav1.PartialObjectMetadata).Labels["tier"], "x")
		must(resource.Delete(ctx, "a", metav1.DeleteOptions{}))
	})
	run("metadatainformer: follows metadata alone", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		factory := metadatainformer.NewFilteredSharedInformerFactory(c.metadata, 0, namespace, nil)
		lines := make(chan string, 10)
		got(factory.ForResource(configMaps).Informer().AddEventHandler(note(lines)))
		ended, stop := context.WithCancel(ctx)
		factory.Start(ended.Done())
		factory.WaitForCacheSync(ctx.Done())
		got(c.typed.CoreV1().ConfigMaps(namespace).Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
		equal(next(ctx, "a config map", lines), "added a false")
		stop()
		factory.Shutdown()
	})
}
