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
  detailText: string
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
const projectFramePattern = /\/(?:client|contract|dsp|sw)\/[^\s:?]+/
const libraryFramePattern = /node_modules/
const STACK_FRAME_LIMIT = 40
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
  const restoreFunctions: (() => void)[] = []
  // `Error.stackTraceLimit` exists only in V8.
  const errorClass = Error as typeof Error & { stackTraceLimit?: number }
  const { stackTraceLimit } = errorClass
  errorClass.stackTraceLimit = STACK_FRAME_LIMIT

  /** Returns a function that marks the resource as released. */
  function acquireResource(resourceKind: LiveResource['kind'], detailText: string): () => void {
    const stackLines = (new Error().stack ?? '').split('\n').filter((line) => line.includes(':') && !line.includes('/testing/leaks.ts'))
    const projectFrames = stackLines.filter((line) => projectFramePattern.test(line) && !libraryFramePattern.test(line))
    const resource: LiveResource = {
      kind: resourceKind,
      detailText,
      acquisitionFrames: projectFrames.map((line) => projectFramePattern.exec(line)?.[0] ?? ''),
    }
    if (projectFrames.length > 0 && constructionDepth === 0) liveResources.add(resource)
    return () => liveResources.delete(resource)
  }

  function replaceFunction<T extends object, K extends keyof T>(
    owner: T,
    functionName: K,
    createReplacement: (original: T[K]) => T[K],
  ): void {
    const originalMethod = owner[functionName]
    if (originalMethod === undefined) return
    owner[functionName] = createReplacement(originalMethod)
    restoreFunctions.push(() => {
      owner[functionName] = originalMethod
    })
  }

  trackListeners(acquireResource, replaceFunction)
  const globalFunctions = globalThis as unknown as Record<string, AnyFunction>
  trackCallbacks(globalFunctions, ['setTimeout', 'clearTimeout'], 'timeout', acquireResource, replaceFunction)
  trackCallbacks(globalFunctions, ['setInterval', 'clearInterval'], 'interval', acquireResource, replaceFunction)
  trackCallbacks(globalFunctions, ['requestAnimationFrame', 'cancelAnimationFrame'], 'animation frame', acquireResource, replaceFunction)
  trackCallbacks(globalFunctions, ['requestIdleCallback', 'cancelIdleCallback'], 'idle callback', acquireResource, replaceFunction)
  trackObjectUrls(acquireResource, replaceFunction)
  const globalClasses = globalThis as unknown as Record<string, Constructor>
  trackClass(globalClasses, 'Worker', 'terminate', 'worker', acquireResource, replaceFunction)
  trackClass(globalClasses, 'BroadcastChannel', 'close', 'broadcast channel', acquireResource, replaceFunction)
  trackClass(globalClasses, 'AudioContext', 'close', 'audio context', acquireResource, replaceFunction)

  return {
    describeLive: () =>
      [...liveResources].map(
        ({ kind, detailText: detail, acquisitionFrames }) => `${kind} ${detail} acquired at ${acquisitionFrames.slice(0, 3).join(' < ')}`,
      ),
    uninstall() {
      for (const restore of restoreFunctions.reverse()) restore()
      if (stackTraceLimit !== undefined) errorClass.stackTraceLimit = stackTraceLimit
    },
  }
}

/**
 * Runs `runCycle`, which creates, uses and disposes an object. Returns descriptions of the resources that it did not release. Resources that
 * match `ignoredNames` belong to an object that outlives the cycle.
 */
export async function findLeaks(runCycle: () => unknown, ignoredNames?: RegExp): Promise<string[]> {
  const leakTracker = trackLeaks()
  try {
    await runCycle()
    return leakTracker.describeLive().filter((leak) => !ignoredNames?.test(leak))
  } finally {
    leakTracker.uninstall()
  }
}

/**
 * Counts the active subscriptions made through `target[method]`, which must return the function that unsubscribes. Returns a function that
 * reads the count.
 */
export function countSubscriptions<K extends string>(
  subscribable: Record<K, (...args: never[]) => () => void>,
  methodName: K,
): () => number {
  const liveResources = new Set<object>()
  const subscribe = subscribable[methodName].bind(subscribable) as (...args: unknown[]) => () => void
  Object.defineProperty(subscribable, methodName, {
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
  eventType: string
  listener: EventListenerOrEventListenerObject
  isCapture: boolean
  release: () => void
}

function trackListeners(acquire: AcquireResource, replace: ReplaceFunction): void {
  const listenersByTarget = new WeakMap<EventTarget, LiveListener[]>()
  const isCaptureListener = (options: boolean | EventListenerOptions | undefined) =>
    typeof options === 'object' ? options.capture === true : options === true

  function releaseListener(target: EventTarget, eventType: string, listener: unknown, isCapture: boolean): void {
    const listeners = listenersByTarget.get(target) ?? []
    const index = listeners.findIndex((each) => each.eventType === eventType && each.listener === listener && each.isCapture === isCapture)
    listeners.splice(index, index < 0 ? 0 : 1)[0]?.release()
  }

  // The window's own functions are wrapped in addition to those of `EventTarget`, because a test runner may have replaced them.
  const patchedOwners: EventTarget[] = [EventTarget.prototype]
  if (Object.hasOwn(globalThis, 'addEventListener')) patchedOwners.push(globalThis as unknown as EventTarget)
  for (const patchedOwner of patchedOwners) {
    replace(
      patchedOwner,
      'addEventListener',
      (originalMethod) =>
        function (this: EventTarget, eventType, listener, options) {
          // A call of `addEventListener` without an object adds the listener to the global object.
          const eventTarget = this ?? globalThis
          originalMethod.call(eventTarget, eventType, listener, options)
          const { once, signal } = typeof options === 'object' ? options : {}
          if (listener === null || signal?.aborted || nodeInternalEvents.has(eventType)) return
          const isCapture = isCaptureListener(options)
          const listeners = listenersByTarget.get(eventTarget) ?? []
          listenersByTarget.set(eventTarget, listeners)
          if (listeners.some((each) => each.eventType === eventType && each.listener === listener && each.isCapture === isCapture)) return
          listeners.push({
            eventType,
            listener,
            isCapture,
            release: acquire('listener', `'${eventType}' on ${eventTarget.constructor.name}`),
          })
          const releaseOnAbort = () => releaseListener(eventTarget, eventType, listener, isCapture)
          if (once) originalMethod.call(eventTarget, eventType, releaseOnAbort, { once, capture: isCapture })
          if (signal) originalMethod.call(signal, 'abort', releaseOnAbort, { once: true })
        },
    )
    replace(
      patchedOwner,
      'removeEventListener',
      (originalMethod) =>
        function (this: EventTarget, eventType, listener, options) {
          const target = this ?? globalThis
          originalMethod.call(target, eventType, listener, options)
          releaseListener(target, eventType, listener, isCaptureListener(options))
        },
    )
  }
}

function trackCallbacks(
  functionOwner: Record<string, AnyFunction>,
  [startFunctionName, cancelName]: [string, string],
  timerKind: 'timeout' | 'interval' | 'animation frame' | 'idle callback',
  acquire: AcquireResource,
  replace: ReplaceFunction,
): void {
  const releaseByHandle = new Map<unknown, () => void>()
  const bindToGlobal = (originalMethod: AnyFunction) => originalMethod.bind(globalThis) as (...args: unknown[]) => unknown
  replace(functionOwner, startFunctionName, (originalMethod) => (callback: (...args: unknown[]) => void, ...otherArgs: unknown[]) => {
    const markReleased = acquire(timerKind, typeof otherArgs[0] === 'number' ? `of ${otherArgs[0]} ms` : '')
    const timerId = bindToGlobal(originalMethod)(
      (...args: unknown[]) => {
        if (timerKind !== 'interval') markReleased()
        callback(...args)
      },
      ...otherArgs,
    )
    releaseByHandle.set(timerId, markReleased)
    return timerId
  })
  replace(functionOwner, cancelName, (originalMethod) => (timerId: unknown) => {
    releaseByHandle.get(timerId)?.()
    releaseByHandle.delete(timerId)
    return bindToGlobal(originalMethod)(timerId)
  })
}

function trackObjectUrls(acquire: AcquireResource, replace: ReplaceFunction): void {
  const releaseByTimerId = new Map<string, () => void>()
  replace(URL, 'createObjectURL', (originalMethod) => (urlContent) => {
    const url = originalMethod.call(URL, urlContent)
    releaseByTimerId.set(url, acquire('object URL', url))
    return url
  })
  replace(URL, 'revokeObjectURL', (originalMethod) => (url) => {
    originalMethod.call(URL, url)
    releaseByTimerId.get(url)?.()
  })
}

function trackClass(
  constructorOwner: Record<string, Constructor>,
  constructorName: string,
  releaseMethod: 'terminate' | 'close',
  resourceKind: 'worker' | 'broadcast channel' | 'audio context',
  acquire: AcquireResource,
  replace: ReplaceFunction,
): void {
  replace(constructorOwner, constructorName, (originalMethod) => {
    const TrackedClass = new Proxy(originalMethod, {
      construct(constructorFunction, args, newTarget) {
        constructionDepth += 1
        const resourceInstance = Reflect.construct(constructorFunction, args, newTarget)
        constructionDepth -= 1
        const markReleased = acquire(resourceKind, String(args[0] ?? ''))
        const releaseFunction = Reflect.get(resourceInstance, releaseMethod) as (...args: unknown[]) => unknown
        Object.defineProperty(resourceInstance, releaseMethod, {
          configurable: true,
          value: (...args: unknown[]) => {
            markReleased()
            return releaseFunction.apply(resourceInstance, args)
          },
        })
        return resourceInstance
      },
    })
    return TrackedClass
  })
}
