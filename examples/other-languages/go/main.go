// go mod tidy && go run . ; the server is that of KUBECONFIG.
package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	config := must(clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")))
	maps := must(kubernetes.NewForConfig(config)).CoreV1().ConfigMaps("default")
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings-go"}, Data: map[string]string{"colour": "blue"}}
	must(maps.Create(ctx, settings, metav1.CreateOptions{}))
	patch := []byte(`{"data":{"colour":"green"}}`)
	must(maps.Patch(ctx, "settings-go", types.MergePatchType, patch, metav1.PatchOptions{}))
	watch := must(maps.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=settings-go"}))
	event := <-watch.ResultChan()
	fmt.Println(event.Type, event.Object.(*corev1.ConfigMap).Data["colour"])
	watch.Stop()
}
