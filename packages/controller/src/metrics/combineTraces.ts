import { expectArgument, rules } from 'rx-informer/internal';
import type { Trace } from 'rx-informer/pipeline';

/** Calls all functions, and then throws the first error: one that fails does not keep the others from being called. */
function callAll<A extends unknown[]>(functions: readonly ((...values: A) => void)[]): (...values: A) => void {
  return (...values) => {
    const errors: unknown[] = [];
    for (const each of functions) {
      try {
        each(...values);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
}

/**
 * Combines several traces into one, where one is asked for, as by `reflect`: each gets every step.
 *
 * ```text
 * steps                   request  page  end
 * combineTraces(one, two) (one two) (one two) (one two)
 * ```
 *
 * One that throws does not keep the others from that step; its error is reported, and ends all of them, as that of any trace. An informer takes several parts
 * `tracing`, of which each ends alone.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { tracing } from 'rx-informer/pipeline';
 * import { combineTraces, prometheusInformerMetrics } from '@rx-informer/controller/metrics';
 * import { openTelemetryTrace } from '@rx-informer/controller/opentelemetry';
 *
 * const traceOf = await prometheusInformerMetrics();
 * const trace = combineTraces(traceOf('pods'), openTelemetryTrace());
 * createInformer(createClient(), resources.core.v1.pods, { parts: [tracing(trace)] }).start();
 * ```
 *
 * @throws TypeError when a trace is not a function.
 */
export function combineTraces(...traces: readonly Trace[]): Trace {
  expectArgument('combineTraces', 'traces', traces, rules.listOf(rules.function, 'traces'));
  return callAll(traces);
}

/** A sink that passes each call on to all sinks that have the method. @internal */
export function combinedSinks<S extends object>(methods: readonly (keyof S)[], ...sinks: readonly (S | undefined)[]): S {
  const given = sinks.filter((sink) => sink !== undefined);
  const calls = methods.map((method) => {
    const bound = given.flatMap((sink) => {
      const call = sink[method];
      return typeof call === 'function' ? [call.bind(sink) as (...values: unknown[]) => void] : [];
    });
    return [method, callAll(bound)] as const;
  });
  return Object.fromEntries(calls) as S;
}
