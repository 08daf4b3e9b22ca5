// cert-manager's CA injector, of its own packages: writes the authority of a Certificate into the caBundle of what names it.
package main

import (
	"flag"
	"fmt"
	"os"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	cmapi "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	url := flag.String("url", "", "the API server")
	flag.Parse()
	ctx := ctrl.SetupSignalHandler()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{admissionv1.AddToScheme, corev1.AddToScheme, apiext.AddToScheme, cmapi.AddToScheme} {
		must(add(scheme))
	}
	config := &rest.Config{Host: *url, UserAgent: "cainjector"}
	// As in cert-manager's own program: only the metadata of Secrets is watched, and a cache beside it could be behind.
	uncached := client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}}
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Client: uncached, Metrics: metricsserver.Options{BindAddress: "0"}})
	must(err)
	kinds := map[string]bool{
		cainjector.ValidatingWebhookConfigurationName: true,
		cainjector.MutatingWebhookConfigurationName:   true,
		cainjector.CustomResourceDefinitionName:       true,
	}
	must(cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{EnabledReconcilersFor: kinds, EnableCertificatesDataSource: true}))
	must(manager.Start(ctx))
}
