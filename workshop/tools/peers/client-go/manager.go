package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// runManager is a manager of controller-runtime, whose leadership ends with its process. It leaves its lease to expire, as by default.
// Its lock is its own, with an identity that it makes itself.
func runManager(text string) {
	given := electionOf(text)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	// The user agent of its lock begins with the name of the program.
	os.Args[0] = given.Identity
	ctrl.SetLogger(logr.Discard())
	lease, deadline, retry := given.times()
	config := &rest.Config{Host: given.URL, UserAgent: given.Identity, QPS: -1}
	made, err := ctrl.NewManager(config, ctrl.Options{
		LeaderElection:          true,
		LeaderElectionID:        given.Name,
		LeaderElectionNamespace: given.Namespace,
		LeaseDuration:           &lease,
		RenewDeadline:           &deadline,
		RetryPeriod:             &retry,
		Metrics:                 server.Options{BindAddress: "0"},
	})
	if err != nil {
		fail(err)
	}
	over := sync.OnceFunc(func() { say("over") })
	// A function that is added runs while the manager leads.
	work := manager.RunnableFunc(func(ctx context.Context) error {
		say("elected")
		<-ctx.Done()
		over()
		return nil
	})
	if err := made.Add(work); err != nil {
		fail(err)
	}
	say("ready")
	err = made.Start(ctx)
	over()
	if err != nil {
		fail(err)
	}
}
