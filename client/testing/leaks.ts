/** A resource that was acquired while a tracker was installed and that is not released yet. */
interface LiveResource {
  kind:
    | 'listener'
    | 'timeout'
    | 'interval'
    | 'animation frame'
    | 'idle callback'
    | 'object URL'
    | 'worker'
    | 'broadcast channel'
    | 'audio context'
  /** The details of a leaked resource: the event type and target, the delay, or the URL. */
  detail: string
  /** The project's stack frames at the time when the resource was acquired, innermost first. */
  acquisitionFrames: string[]
}

interface LeakTracker {
  /** Describes the resources that are still alive, in the order of their acquisition. Without a leak, the list is empty. */
  describeLive(): string[]
  /** Restores the platform functions that the tracker has wrapped. Later listeners, timers and workers are not tracked. */
  uninstall(): void
}

/** Matches stack frames in files of the project. Resources that only a test runner or a library acquired do not count as leaks. */
const projectFrame = /\/(?:client|contract|dsp|sw)\/[^\s:?]+/
const libraryFrame = /node_modules/
const STACK_FRAMES = 40
/** How many constructors of browser classes are running. Listeners that they add are not tracked. */
let constructionDepth = 0
/** Event types for which Node.js itself adds listeners to every message port. Such listeners are not counted. */
const nodeInternalEvents = new Set(['newListener', 'removeListener'])

/**
 * Tracks event listeners, timers, object URLs, workers, broadcast channels and audio contexts that the project's code acquires from now on
 * and does not release. If a test fakes timers, install the tracker after `vi.useFakeTimers()`, and uninstall it before the test ends.
 */
function trackLeaks(): LeakTracker {
  const liveResources = new Set<LiveResource>()
  const restorations: (() => void)[] = []
  // `Error.stackTraceLimit` exists only in V8.
  const errorClass = Error as typeof Error & { stackTraceLimit?: number }
  const { stackTraceLimit } = errorClass
  errorClass.stackTraceLimit = STACK_FRAMES

  /** Returns a function that marks the resource as released. */
  function acquireResource(kind: LiveResource['kind'], detail: string): () => void {
    const stack = (new Error().stack ?? '').split('\n').filter((line) => line.includes(':') && !line.includes('/testing/leaks.ts'))
    const projectFrames = stack.filter((line) => projectFrame.test(line) && !libraryFrame.test(line))
    const resource: LiveResource = { kind, detail, acquisitionFrames: projectFrames.map((line) => projectFrame.exec(line)?.[0] ?? '') }
    if (projectFrames.length > 0 && constructionDepth === 0) liveResources.add(resource)
    return () => liveResources.delete(resource)
  }

  function replaceFunction<T extends object, K extends keyof T>(owner: T, name: K, replacement: (original: T[K]) => T[K]): void {
    const originalMethod = owner[name]
    if (originalMethod === undefined) return
    owner[name] = replacement(originalMethod)
    restorations.push(() => {
      owner[name] = originalMethod
    })
  }

  trackListeners(acquireResource, replaceFunction)
  const globals = globalThis as unknown as Record<string, AnyFunction>
  trackCallbacks(globals, ['setTimeout', 'clearTimeout'], 'timeout', acquireResource, replaceFunction)
  trackCallbacks(globals, ['setInterval', 'clearInterval'], 'interval', acquireResource, replaceFunction)
  trackCallbacks(globals, ['requestAnimationFrame', 'cancelAnimationFrame'], 'animation frame', acquireResource, replaceFunction)
  trackCallbacks(globals, ['requestIdleCallback', 'cancelIdleCallback'], 'idle callback', acquireResource, replaceFunction)
  trackObjectUrls(acquireResource, replaceFunction)
  const globalClasses = globalThis as unknown as Record<string, Constructor>
  trackClass(globalClasses, 'Worker', 'terminate', 'worker', acquireResource, replaceFunction)
  trackClass(globalClasses, 'BroadcastChannel', 'close', 'broadcast channel', acquireResource, replaceFunction)
  trackClass(globalClasses, 'AudioContext', 'close', 'audio context', acquireResource, replaceFunction)

  return {
    describeLive: () =>
      [...liveResources].map(
        ({ kind, detail, acquisitionFrames }) => `${kind} ${detail} acquired at ${acquisitionFrames.slice(0, 3).join(' < ')}`,
      ),
    uninstall() {
      for (const restore of restorations.reverse()) restore()
      if (stackTraceLimit !== undefined) errorClass.stackTraceLimit = stackTraceLimit
    },
  }
}

/**
 * Runs `cycle`, which creates, uses and disposes an object. Returns descriptions of the resources that it did not release. Resources that
 * match `ignoredNames` belong to an object that outlives the cycle.
 */
export async function findLeaks(cycle: () => unknown, ignoredNames?: RegExp): Promise<string[]> {
  const tracker = trackLeaks()
  try {
    await cycle()
    return tracker.describeLive().filter((leak) => !ignoredNames?.test(leak))
  } finally {
    tracker.uninstall()
  }
}

/**
 * Counts the active subscriptions made through `target[method]`, which must return the function that unsubscribes. Returns a function that
 * reads the count.
 */
export function countSubscriptions<K extends string>(target: Record<K, (...args: never[]) => () => void>, method: K): () => number {
  const liveResources = new Set<object>()
  const subscribe = target[method].bind(target) as (...args: unknown[]) => () => void
  Object.defineProperty(target, method, {
    value: (...args: unknown[]) => {
      const unsubscribe = subscribe(...args)
      liveResources.add(unsubscribe)
      return () => {
        liveResources.delete(unsubscribe)
        unsubscribe()
      }
    },
  })
  return () => liveResources.size
}

type AnyFunction = (...args: never[]) => unknown
type Constructor = new (...args: never[]) => object
type AcquireResource = (kind: LiveResource['kind'], detail: string) => () => void
type ReplaceFunction = <T extends object, K extends keyof T>(owner: T, name: K, replacement: (original: T[K]) => T[K]) => void

interface LiveListener {
  type: string
  listener: EventListenerOrEventListenerObject
  capture: boolean
  release: () => void
}

function trackListeners(acquire: AcquireResource, replace: ReplaceFunction): void {
  const listenersOf = new WeakMap<EventTarget, LiveListener[]>()
  const isCapture = (options: boolean | EventListenerOptions | undefined) =>
    typeof options === 'object' ? options.capture === true : options === true

  function releaseListener(target: EventTarget, type: string, listener: unknown, capture: boolean): void {
    const listeners = listenersOf.get(target) ?? []
    const index = listeners.findIndex((each) => each.type === type && each.listener === listener && each.capture === capture)
    listeners.splice(index, index < 0 ? 0 : 1)[0]?.release()
  }

  // The window's own functions are wrapped in addition to those of `EventTarget`, because a test runner may have replaced them.
  const patchedOwners: EventTarget[] = [EventTarget.prototype]
  if (Object.hasOwn(globalThis, 'addEventListener')) patchedOwners.push(globalThis as unknown as EventTarget)
  for (const owner of patchedOwners) {
    replace(
      owner,
      'addEventListener',
      (originalMethod) =>
        function (this: EventTarget, type, listener, options) {
          // A call of `addEventListener` without an object adds the listener to the global object.
          const target = this ?? globalThis
          originalMethod.call(target, type, listener, options)
          const { once, signal } = typeof options === 'object' ? options : {}
          if (listener === null || signal?.aborted || nodeInternalEvents.has(type)) return
          const capture = isCapture(options)
          const listeners = listenersOf.get(target) ?? []
          listenersOf.set(target, listeners)
          if (listeners.some((each) => each.type === type && each.listener === listener && each.capture === capture)) return
          listeners.push({ type, listener, capture, release: acquire('listener', `'${type}' on ${target.constructor.name}`) })
          const releaseOnAbort = () => releaseListener(target, type, listener, capture)
          if (once) originalMethod.call(target, type, releaseOnAbort, { once, capture })
          if (signal) originalMethod.call(signal, 'abort', releaseOnAbort, { once: true })
        },
    )
    replace(
      owner,
      'removeEventListener',
      (originalMethod) =>
        function (this: EventTarget, type, listener, options) {
          const target = this ?? globalThis
          originalMethod.call(target, type, listener, options)
          releaseListener(target, type, listener, isCapture(options))
        },
    )
  }
}

function trackCallbacks(
  owner: Record<string, AnyFunction>,
  [startName, cancelName]: [string, string],
  kind: 'timeout' | 'interval' | 'animation frame' | 'idle callback',
  acquire: AcquireResource,
  replace: ReplaceFunction,
): void {
  const releaseByHandle = new Map<unknown, () => void>()
  const bindToGlobal = (originalMethod: AnyFunction) => originalMethod.bind(globalThis) as (...args: unknown[]) => unknown
  replace(owner, startName, (originalMethod) => (callback: (...args: unknown[]) => void, ...otherArgs: unknown[]) => {
    const markReleased = acquire(kind, typeof otherArgs[0] === 'number' ? `of ${otherArgs[0]} ms` : '')
    const id = bindToGlobal(originalMethod)(
      (...args: unknown[]) => {
        if (kind !== 'interval') markReleased()
        callback(...args)
      },
      ...otherArgs,
    )
    releaseByHandle.set(id, markReleased)
    return id
  })
  replace(owner, cancelName, (originalMethod) => (id: unknown) => {
    releaseByHandle.get(id)?.()
    releaseByHandle.delete(id)
    return bindToGlobal(originalMethod)(id)
  })
}

function trackObjectUrls(acquire: AcquireResource, replace: ReplaceFunction): void {
  const releases = new Map<string, () => void>()
  replace(URL, 'createObjectURL', (originalMethod) => (content) => {
    const url = originalMethod.call(URL, content)
    releases.set(url, acquire('object URL', url))
    return url
  })
  replace(URL, 'revokeObjectURL', (originalMethod) => (url) => {
    originalMethod.call(URL, url)
    releases.get(url)?.()
  })
}

function trackClass(
  owner: Record<string, Constructor>,
  name: string,
  method: 'terminate' | 'close',
  kind: 'worker' | 'broadcast channel' | 'audio context',
  acquire: AcquireResource,
  replace: ReplaceFunction,
): void {
  replace(owner, name, (originalMethod) => {
    const TrackedClass = new Proxy(originalMethod, {
      construct(target, args, newTarget) {
        constructionDepth += 1
        const instance = Reflect.construct(target, args, newTarget)
        constructionDepth -= 1
        const markReleased = acquire(kind, String(args[0] ?? ''))
        const release = Reflect.get(instance, method) as (...args: unknown[]) => unknown
        Object.defineProperty(instance, method, {
          configurable: true,
          value: (...args: unknown[]) => {
            markReleased()
            return release.apply(instance, args)
          },
        })
        return instance
      },
    })
    return TrackedClass
  })
}
