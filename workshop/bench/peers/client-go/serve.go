package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

const protobufType = "application/vnd.kubernetes.protobuf"

// encoded is what an API server would send for an object.
func encoded(raw []byte) []byte {
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	check(err)
	var out bytes.Buffer
	check(protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(object, &out))
	return out.Bytes()
}

// frameOf is one event of a watch, with its length before it.
func frameOf(line []byte, framed io.Writer) {
	var event struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	check(json.Unmarshal(line, &event))
	out := &metav1.WatchEvent{Type: event.Type, Object: runtime.RawExtension{Raw: encoded(event.Object)}}
	var frame bytes.Buffer
	check(protobuf.NewRawSerializer(scheme.Scheme, scheme.Scheme).Encode(out, &frame))
	_, err := framed.Write(frame.Bytes())
	check(err)
}

func get(url string) *http.Response {
	answer := must(http.Get(url))
	if answer.StatusCode != http.StatusOK {
		check(fmt.Errorf("%s: %s", url, answer.Status))
	}
	return answer
}

// framesOf are all events of the watch.
func framesOf(given options) []byte {
	watch := get(given.URL + given.Path + "?watch=true")
	defer watch.Body.Close()
	target := must(url.Parse(given.URL))
	go func() {
		answer := must(http.Post(strings.TrimSuffix(given.URL, target.Path)+"/send"+target.Path, "", nil))
		check(answer.Body.Close())
	}()
	var frames bytes.Buffer
	framed := protobuf.LengthDelimitedFramer.NewFrameWriter(&frames)
	lines := bufio.NewReaderSize(watch.Body, 1<<20)
	for at := 0; at < given.WarmUp+given.Events; at++ {
		frameOf(must(lines.ReadBytes('\n')), framed)
	}
	return frames.Bytes()
}

func serve(given options) {
	list := get(given.URL + given.Path)
	objects := encoded(must(io.ReadAll(list.Body)))
	check(list.Body.Close())
	frames := framesOf(given)
	// One token for each run: whoever measures asks for the events once.
	sending := make(chan struct{}, 1)
	handler := func(answer http.ResponseWriter, request *http.Request) {
		if request.Method == http.MethodPost {
			sending <- struct{}{}
			return
		}
		if request.URL.Query().Get("watch") == "" {
			answer.Header().Set("content-type", protobufType)
			_, _ = answer.Write(objects)
			return
		}
		if request.URL.Query().Has("sendInitialEvents") {
			answer.Header().Set("content-type", "application/json")
			answer.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(answer, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"sendInitialEvents is forbidden","reason":"Invalid","code":422}`)
			return
		}
		answer.Header().Set("content-type", protobufType+";stream=watch")
		answer.(http.Flusher).Flush()
		<-sending
		_, _ = answer.Write(frames)
		answer.(http.Flusher).Flush()
		<-request.Context().Done()
	}
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	target := must(url.Parse(given.URL))
	fmt.Printf("{\"url\":\"http://%s%s\",\"listBytes\":%d,\"eventBytes\":%d}\n", listener.Addr(), target.Path, len(objects), len(frames)/(given.WarmUp+given.Events))
	check(http.Serve(listener, http.HandlerFunc(handler)))
}
