package sweeping

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
)

// A collector is where spans go, by OpenTelemetry's protocol over HTTP, as JSON.
// Its own exporter speaks protobuf, which brings gRPC along: a third of the binary.
type collector struct {
	url     string
	headers http.Header
}

// collectorOf is what the environment says, in OpenTelemetry's own words; false if nothing.
func collectorOf(getenv func(string) string) (collector, bool) {
	c := collector{url: getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), headers: http.Header{}}
	if base := getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); c.url == "" && base != "" {
		c.url = strings.TrimRight(base, "/") + "/v1/traces"
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		for pair := range strings.SplitSeq(getenv(name), ",") {
			k, v, ok := strings.Cut(pair, "=")
			if v, err := url.PathUnescape(strings.TrimSpace(v)); ok && err == nil {
				c.headers.Set(strings.TrimSpace(k), v)
			}
		}
	}
	return c, c.url != ""
}

type (
	otlpValue struct {
		Text *string `json:"stringValue,omitempty"`
		Int  *string `json:"intValue,omitempty"` // numbers of 64 bits are texts in JSON
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpStatus struct {
		Message string `json:"message,omitempty"`
		Code    int    `json:"code,omitempty"`
	}
	otlpSpan struct {
		Trace      string          `json:"traceId"`
		ID         string          `json:"spanId"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"`
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Status     otlpStatus      `json:"status"`
	}
	otlpScope struct {
		Spans []otlpSpan `json:"spans"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpSpans struct {
		Resource otlpResource `json:"resource"`
		Scopes   []otlpScope  `json:"scopeSpans"`
	}
	otlpRequest struct {
		Resources []otlpSpans `json:"resourceSpans"`
	}
)

func attributesOf(all []attribute.KeyValue) (told []otlpAttribute) {
	for _, kv := range all {
		v := otlpValue{}
		text := kv.Value.String()
		if kv.Value.Type() == attribute.INT64 {
			v.Int = &text
		} else {
			v.Text = &text
		}
		told = append(told, otlpAttribute{string(kv.Key), v})
	}
	return told
}

// ExportSpans implements trace.SpanExporter.
func (c collector) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	var all []otlpSpan
	for _, s := range spans {
		id := s.SpanContext()
		one := otlpSpan{Trace: id.TraceID().String(), ID: id.SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
			Start: strconv.FormatInt(s.StartTime().UnixNano(), 10), End: strconv.FormatInt(s.EndTime().UnixNano(), 10),
			Attributes: attributesOf(s.Attributes())}
		if s.Status().Code == codes.Error {
			one.Status = otlpStatus{s.Status().Description, 2} // the protocol's number for an error
		}
		all = append(all, one)
	}
	body, err := json.Marshal(otlpRequest{[]otlpSpans{{otlpResource{attributesOf(spans[0].Resource().Attributes())},
		[]otlpScope{{all}}}}})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = c.headers.Clone()
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("send spans: %w", err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("send spans: %s", resp.Status)
	}
	return nil
}

// Shutdown implements trace.SpanExporter.
func (collector) Shutdown(context.Context) error { return nil }
