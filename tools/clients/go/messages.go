package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"

	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
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

// describe notes the fields of a message: number, name in JSON and type; a star where Go's JSON encoder writes zeros too.
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
		if field.Type.Kind() == reflect.Pointer || len(inJSON) < 2 {
			kept = "*"
		}
		fields = append(fields, wire[1]+" "+label+" "+typeOf(field.Type)+kept)
	}
	described[name] = strings.Join(fields, ",")
	return name
}

func printMessages() {
	must(extensions.AddToScheme(scheme.Scheme))
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
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, name)
	}
	sort.Strings(names)
	printer := json.NewEncoder(os.Stdout)
	printer.SetEscapeHTML(false)
	printer.SetIndent("", " ")
	must(printer.Encode(map[string]any{"kinds": kinds, "messages": described}))
}
