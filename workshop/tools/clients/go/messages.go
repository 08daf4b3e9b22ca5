package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	discovery "k8s.io/api/apidiscovery/v2"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	registration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// described are the messages met so far, by name.
var described = map[string]string{}

// special are the types that have a form of their own in JSON.
var special = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                             "time",
	reflect.TypeFor[metav1.MicroTime]():                        "microtime",
	reflect.TypeFor[resource.Quantity]():                       "quantity",
	reflect.TypeFor[intstr.IntOrString]():                      "intstr",
	reflect.TypeFor[metav1.FieldsV1]():                         "json",
	reflect.TypeFor[runtime.RawExtension]():                    "json",
	reflect.TypeFor[extensions.JSON]():                         "json",
	reflect.TypeFor[extensions.JSONSchemaPropsOrBool]():        "schemaOrBool",
	reflect.TypeFor[extensions.JSONSchemaPropsOrArray]():       "schemaOrArray",
	reflect.TypeFor[extensions.JSONSchemaPropsOrStringArray](): "schemaOrTexts",
}

// marshals is what messages do, those too that are lists in Go.
type marshals interface{ Marshal() ([]byte, error) }

func typeOf(t reflect.Type) string {
	if name, ok := special[t]; ok {
		if strings.HasPrefix(name, "schema") {
			describe(reflect.TypeFor[extensions.JSONSchemaProps]())
		}
		return name
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Float32, reflect.Float64:
		return "d"
	case reflect.Map:
		return "{" + typeOf(t.Elem()) + "}"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "y"
		}
		if _, ok := reflect.New(t).Interface().(marshals); ok {
			return "items"
		}
		return "[" + typeOf(t.Elem()) + "]"
	case reflect.Struct:
		return describe(t)
	default:
		return "i"
	}
}

func nameOf(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return strings.Join(parts[len(parts)-2:], "/") + "." + t.Name()
}

// describe notes the fields of a message: number, name in JSON and type; a star where Go's JSON encoder writes zeros too, and a question mark behind it where
// the field is a pointer, which is nothing in protobuf when it is absent.
func describe(t reflect.Type) string {
	name := nameOf(t)
	if _, known := described[name]; known {
		return name
	}
	described[name] = ""
	var fields []string
	for i := range t.NumField() {
		field := t.Field(i)
		wire := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(wire) < 2 {
			continue
		}
		inJSON := strings.Split(field.Tag.Get("json"), ",")
		label := inJSON[0]
		if label == "" {
			label = "."
		}
		kept := ""
		if field.Type.Kind() == reflect.Pointer {
			kept = "*?"
		} else if len(inJSON) < 2 {
			kept = "*"
		}
		// Errors name fields as Go does.
		named := ""
		if field.Name != strings.ToUpper(label[:1])+label[1:] {
			named = " " + field.Name
		}
		fields = append(fields, wire[1]+" "+label+" "+typeOf(field.Type)+kept+named)
	}
	described[name] = strings.Join(fields, ",")
	return name
}

func printMessages() {
	must(extensions.AddToScheme(scheme.Scheme))
	must(registration.AddToScheme(scheme.Scheme))
	kinds := map[string]string{}
	for kind, t := range scheme.Scheme.AllKnownTypes() {
		_, isMessage := reflect.New(t).Interface().(marshals)
		if kind.Version == runtime.APIVersionInternal || !isMessage || strings.HasSuffix(kind.Kind, "List") {
			continue
		}
		if strings.HasSuffix(kind.Kind, "Options") && kind.Kind != "DeleteOptions" || kind.Kind == "WatchEvent" {
			continue
		}
		if kind.Kind == "DeleteOptions" && kind.Group != "" {
			continue
		}
		kinds[kind.GroupVersion().String()+" "+kind.Kind] = describe(t)
	}
	// The forms of answers that are not objects of a resource.
	for name, t := range map[string]reflect.Type{
		"v1 APIGroupList":                               reflect.TypeFor[metav1.APIGroupList](),
		"v1 APIResourceList":                            reflect.TypeFor[metav1.APIResourceList](),
		"meta.k8s.io/v1 PartialObjectMetadata":          reflect.TypeFor[metav1.PartialObjectMetadata](),
		"meta.k8s.io/v1beta1 PartialObjectMetadata":     reflect.TypeFor[metav1.PartialObjectMetadata](),
		"apidiscovery.k8s.io/v2 APIGroupDiscovery":      reflect.TypeFor[discovery.APIGroupDiscovery](),
		"apidiscovery.k8s.io/v2beta1 APIGroupDiscovery": reflect.TypeFor[discovery.APIGroupDiscovery](),
	} {
		kinds[name] = describe(t)
	}
	printer := json.NewEncoder(os.Stdout)
	printer.SetEscapeHTML(false)
	printer.SetIndent("", " ")
	must(printer.Encode(map[string]any{"kinds": kinds, "messages": described}))
}
