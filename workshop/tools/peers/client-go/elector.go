package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"syscall"
	"time"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// election says who stands for which lease, and the times in milliseconds.
type election struct {
	URL, Namespace, Name, Identity                  string
	LeaseDurationMs, RenewDeadlineMs, RetryPeriodMs int64
}

func electionOf(text string) (given election) {
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		fail(err)
	}
	return given
}

func (given election) times() (lease, deadline, retry time.Duration) {
	return time.Duration(given.LeaseDurationMs) * time.Millisecond,
		time.Duration(given.RenewDeadlineMs) * time.Millisecond,
		time.Duration(given.RetryPeriodMs) * time.Millisecond
}

// leadership is what happens to a candidate, by the clock that all processes of the machine share.
type leadership struct {
	Type string  `json:"type"`
	At   float64 `json:"at"`
}

// monotonicMs reads CLOCK_MONOTONIC, in milliseconds.
func monotonicMs() float64 {
	var now syscall.Timespec
	if _, _, code := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&now)), 0); code != 0 {
		fail(code)
	}
	return float64(now.Sec)*1e3 + float64(now.Nsec)/1e6
}

func say(what string) {
	_ = printer.Encode(leadership{Type: what, At: monotonicMs()})
}

// runElector stands for election until SIGTERM. A leadership that is lost is followed by another attempt.
//
// The lease is left to expire, as by default. With ReleaseOnCancel, a candidate whose time has passed gives back the lease that another one has by then:
// release reads the current version, and then looks at the holder that was observed before.
func runElector(text string) {
	given := electionOf(text)
	lease, deadline, retry := given.times()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: given.URL, UserAgent: given.Identity, QPS: -1})
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: given.Namespace, Name: given.Name},
		Client:     client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: given.Identity},
	}
	say("ready")
	for ctx.Err() == nil {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock:          lock,
			LeaseDuration: lease,
			RenewDeadline: deadline,
			RetryPeriod:   retry,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { say("elected") },
				OnStoppedLeading: func() { say("over") },
			},
		})
	}
	os.Exit(0)
}
