import type { Services } from '../services.tsx'

type PartialServices = { [K in keyof Services]?: DeepPartial<Services[K]> }
/** The type `T` with optional members at every level, including the results of functions. */
type DeepPartial<T> =
  T extends Promise<infer P>
    ? Promise<DeepPartial<P>>
    : T extends (...args: infer A) => infer R
      ? (...args: A) => DeepPartial<R>
      : T extends object
        ? { [K in keyof T]?: DeepPartial<T[K]> }
        : T

/**
 * Returns services for a test of components. A component that reads a service that is missing in `services` fails the test with the name of
 * the service.
 */
export function createTestServices(services: PartialServices): Services {
  return new Proxy({ kind: 'main', ...services } as Services, {
    get(target, memberName) {
      if (typeof memberName === 'string' && !(memberName in target))
        throw new Error(`The test has no services.${memberName}: pass it to testServices`)
      return Reflect.get(target, memberName)
    },
  })
}
