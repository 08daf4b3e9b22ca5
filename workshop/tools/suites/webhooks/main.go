// The webhooks of Kubernetes' test image agnhost as a program that needs no cluster around it: agnhost itself asks for the files of a pod.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/test/images/agnhost/crd-conversion-webhook/converter"
	"k8s.io/kubernetes/test/images/agnhost/webhook"
)

func conversion() *cobra.Command {
	var certificate, key string
	var port int
	command := &cobra.Command{Use: "crd-conversion-webhook", RunE: func(*cobra.Command, []string) error {
		http.HandleFunc("/crdconvert", converter.ServeExampleConvert)
		return http.ListenAndServeTLS(fmt.Sprintf(":%d", port), certificate, key, nil)
	}}
	command.Flags().StringVar(&certificate, "tls-cert-file", "", "")
	command.Flags().StringVar(&key, "tls-private-key-file", "", "")
	command.Flags().IntVar(&port, "port", 443, "")
	return command
}

func main() {
	logging := flag.NewFlagSet("logging", flag.ExitOnError)
	klog.InitFlags(logging)
	root := &cobra.Command{Use: "agnhost"}
	root.PersistentFlags().AddGoFlagSet(logging)
	root.AddCommand(webhook.CmdWebhook, conversion())
	if root.Execute() != nil {
		os.Exit(1)
	}
}
