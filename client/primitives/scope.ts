/** Owns listeners, timers, object URLs and other resources, and releases all of them together. */
export interface Scope {
  /** The signal that is aborted when the scope is disposed. */
  readonly signal: AbortSignal
  /**
   * Calls `dispose` when the scope is disposed, or immediately if the scope is already disposed. Returns a function that calls `dispose`
   * earlier.
   */
  add(dispose: () => void): () => void
  /** Adds an event listener. Returns the function that removes it. */
  listen: AddListener
  /** Calls `callback` once after `delayMs`. Returns the function that cancels it. */
  timeout(callback: () => void, delayMs: number): () => void
  /** Calls `callback` every `periodMs`. Returns the function that stops it. */
  interval(callback: () => void, periodMs: number): () => void
  /** Creates an object URL that is revoked with the scope. */
  createObjectUrl(content: Blob): string
  /** Releases everything in the reverse order of its acquisition. A second call does nothing. */
  dispose(): void
}

/** `addEventListener` with the target first, typed by the event maps of the DOM. Returns the function that removes the listener. */
interface AddListener {
  <K extends keyof WindowEventMap>(
    target: Window,
    type: K,
    listener: (event: WindowEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): () => void
  <K extends keyof DocumentEventMap>(
    target: Document,
    type: K,
    listener: (event: DocumentEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): () => void
  <K extends keyof HTMLElementEventMap>(
    target: HTMLElement,
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): () => void
  (target: ListenerTarget, type: string, listener: (event: Event) => void, options?: AddEventListenerOptions): () => void
}

/** The members of `EventTarget` that `addListener` uses; tests pass smaller objects. */
export interface ListenerTarget {
  addEventListener(type: string, listener: (event: Event) => void, options?: AddEventListenerOptions): void
  removeEventListener(type: string, listener: (event: Event) => void, options?: AddEventListenerOptions): void
}

export const addListener: AddListener = (
  target: ListenerTarget,
  eventType: string,
  listener: (event: never) => void,
  options?: AddEventListenerOptions,
): (() => void) => {
  const eventListener = listener as (event: Event) => void
  target.addEventListener(eventType, eventListener, options)
  return () => target.removeEventListener(eventType, eventListener, options)
}

/** Calls `callback` once after `delayMs`. Returns the function that cancels the call. */
export function startTimeout(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

/** Calls `callback` every `periodMs`. Returns the function that stops the calls. */
export function startInterval(callback: () => void, periodMs: number): () => void {
  const timer = setInterval(callback, periodMs)
  return () => clearInterval(timer)
}

/**
 * Creates a scope. Code that needs no scope uses `addListener`, `startTimeout` and `startInterval`, for example in an effect that returns the
 * function to undo the call.
 */
export function createCleanupScope(): Scope {
  const controller = new AbortController()
  const disposeFunctions = new Set<() => void>()

  function addDisposal(dispose: () => void): () => void {
    const disposeOnce = () => {
      if (disposeFunctions.delete(disposeOnce)) dispose()
    }
    disposeFunctions.add(disposeOnce)
    if (controller.signal.aborted) disposeOnce()
    return disposeOnce
  }

  return {
    signal: controller.signal,
    add: addDisposal,
    listen(target: ListenerTarget, eventType: string, listener: (event: Event) => void, options?: AddEventListenerOptions) {
      if (controller.signal.aborted) return () => {}
      return addDisposal(addListener(target, eventType, listener, options))
    },
    timeout(callback, delayMs) {
      if (controller.signal.aborted) return () => {}
      const removeDisposal = addDisposal(
        startTimeout(() => {
          removeDisposal()
          callback()
        }, delayMs),
      )
      return removeDisposal
    },
    interval(callback, periodMs) {
      if (controller.signal.aborted) return () => {}
      return addDisposal(startInterval(callback, periodMs))
    },
    createObjectUrl(urlContent) {
      const url = URL.createObjectURL(urlContent)
      addDisposal(() => URL.revokeObjectURL(url))
      return url
    },
    dispose() {
      if (controller.signal.aborted) return
      controller.abort()
      for (const disposal of [...disposeFunctions].reverse()) disposal()
    },
  }
}

/** The scope of listeners, timers and other resources that live as long as the page. It is never disposed. */
export const pageScope = createCleanupScope()
