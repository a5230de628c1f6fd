import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEmitter } from './emitter.ts'
import { createCleanupScope } from './scope.ts'
import { loadOnce, singleFlight } from './single-flight.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('emitter', () => {
  it('emitter: listeners are called in the order of subscription, and not after they unsubscribe', () => {
    const numberEmitter = createEmitter<number>()
    const calledListeners: string[] = []
    const unsubscribeFirst = numberEmitter.subscribe((value) => calledListeners.push(`first ${value}`))
    numberEmitter.subscribe((value) => calledListeners.push(`second ${value}`))
    numberEmitter.emit(1)
    unsubscribeFirst()
    numberEmitter.emit(2)
    expect(calledListeners).toEqual(['first 1', 'second 1', 'second 2'])
    expect(numberEmitter.listenerCount).toBe(1)
  })

  it('emitter: a listener that another listener unsubscribes or subscribes during an emit is not called in the same emit', () => {
    const eventEmitter = createEmitter()
    const calledListeners: string[] = []
    eventEmitter.subscribe(() => {
      calledListeners.push('first')
      unsubscribeSecond()
      eventEmitter.subscribe(() => calledListeners.push('late'))
    })
    const unsubscribeSecond = eventEmitter.subscribe(() => calledListeners.push('second'))
    eventEmitter.emit()
    expect(calledListeners).toEqual(['first'])
  })

  it('emitter: a function that subscribed twice is called twice', () => {
    const eventEmitter = createEmitter()
    const listener = vi.fn()
    const unsubscribe = eventEmitter.subscribe(listener)
    eventEmitter.subscribe(listener)
    unsubscribe()
    unsubscribe()
    eventEmitter.emit()
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

describe('singleFlight', () => {
  it('singleFlight: calls share a running call; after it settled or failed, the next call runs again', async () => {
    const fetchValue = vi.fn().mockResolvedValueOnce('a').mockRejectedValueOnce(new Error('b')).mockResolvedValueOnce('c')
    const fetchShared = singleFlight<string>(fetchValue)
    expect(await Promise.all([fetchShared(), fetchShared()])).toEqual(['a', 'a'])
    await expect(fetchShared()).rejects.toThrow('b')
    expect(await fetchShared()).toBe('c')
    expect(fetchValue).toHaveBeenCalledTimes(3)
  })
})

describe('loadOnce', () => {
  it('loadOnce: a value is loaded once, and again after a failure', async () => {
    const loadValue = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('loaded')
    const getOnce = loadOnce<string>(loadValue)
    await expect(getOnce()).rejects.toThrow('offline')
    expect(await Promise.all([getOnce(), getOnce()])).toEqual(['loaded', 'loaded'])
    expect(await getOnce()).toBe('loaded')
    expect(loadValue).toHaveBeenCalledTimes(2)
  })
})

describe('scope', () => {
  it('scope: each resource is released once, the last acquired first', () => {
    const scope = createCleanupScope()
    const releasedNames: string[] = []
    scope.add(() => releasedNames.push('first'))
    scope.add(() => releasedNames.push('second'))
    const disposeEarly = scope.add(() => releasedNames.push('early'))
    disposeEarly()
    disposeEarly()
    scope.dispose()
    scope.dispose()
    expect(releasedNames).toEqual(['early', 'second', 'first'])
    expect(scope.signal.aborted).toBe(true)
    expect(scope.signal.aborted).toBe(true)
  })

  it('scope: event listeners are removed and timers are stopped', () => {
    vi.useFakeTimers()
    const scope = createCleanupScope()
    const eventTarget = new EventTarget()
    const calledListeners: string[] = []
    scope.listen(eventTarget, 'change', () => calledListeners.push('change'))
    scope.timeout(() => calledListeners.push('timeout'), 100)
    scope.interval(() => calledListeners.push('interval'), 40)
    eventTarget.dispatchEvent(new Event('change'))
    vi.advanceTimersByTime(50)
    scope.dispose()
    eventTarget.dispatchEvent(new Event('change'))
    vi.advanceTimersByTime(1000)
    expect(calledListeners).toEqual(['change', 'interval'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('scope: object URLs are revoked', async () => {
    const scope = createCleanupScope()
    const url = scope.createObjectUrl(new Blob(['text']))
    expect(await (await fetch(url)).text()).toBe('text')
    scope.dispose()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('scope: a resource that is added after disposal is released immediately', () => {
    const scope = createCleanupScope()
    scope.dispose()
    const onDispose = vi.fn()
    scope.add(onDispose)
    expect(onDispose).toHaveBeenCalledTimes(1)
  })
})
