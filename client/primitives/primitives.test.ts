import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEmitter } from './emitter.ts'
import { createScope } from './scope.ts'
import { loadOnce, singleFlight } from './single-flight.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('emitter', () => {
  it('emitter: listeners are called in the order of subscription, and not after they unsubscribe', () => {
    const emitter = createEmitter<number>()
    const calls: string[] = []
    const unsubscribeFirst = emitter.subscribe((value) => calls.push(`first ${value}`))
    emitter.subscribe((value) => calls.push(`second ${value}`))
    emitter.emit(1)
    unsubscribeFirst()
    emitter.emit(2)
    expect(calls).toEqual(['first 1', 'second 1', 'second 2'])
    expect(emitter.listenerCount).toBe(1)
  })

  it('emitter: a listener that another listener unsubscribes or subscribes during an emit is not called in the same emit', () => {
    const emitter = createEmitter()
    const calls: string[] = []
    emitter.subscribe(() => {
      calls.push('first')
      unsubscribeSecond()
      emitter.subscribe(() => calls.push('late'))
    })
    const unsubscribeSecond = emitter.subscribe(() => calls.push('second'))
    emitter.emit()
    expect(calls).toEqual(['first'])
  })

  it('emitter: a function that subscribed twice is called twice', () => {
    const emitter = createEmitter()
    const listener = vi.fn()
    const unsubscribe = emitter.subscribe(listener)
    emitter.subscribe(listener)
    unsubscribe()
    unsubscribe()
    emitter.emit()
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
    const load = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('loaded')
    const getOnce = loadOnce<string>(load)
    await expect(getOnce()).rejects.toThrow('offline')
    expect(await Promise.all([getOnce(), getOnce()])).toEqual(['loaded', 'loaded'])
    expect(await getOnce()).toBe('loaded')
    expect(load).toHaveBeenCalledTimes(2)
  })
})

describe('scope', () => {
  it('scope: each resource is released once, the last acquired first', () => {
    const scope = createScope()
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
    const scope = createScope()
    const target = new EventTarget()
    const calledListeners: string[] = []
    scope.listen(target, 'change', () => calledListeners.push('change'))
    scope.timeout(() => calledListeners.push('timeout'), 100)
    scope.interval(() => calledListeners.push('interval'), 40)
    target.dispatchEvent(new Event('change'))
    vi.advanceTimersByTime(50)
    scope.dispose()
    target.dispatchEvent(new Event('change'))
    vi.advanceTimersByTime(1000)
    expect(calledListeners).toEqual(['change', 'interval'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('scope: object URLs are revoked', async () => {
    const scope = createScope()
    const url = scope.objectUrl(new Blob(['text']))
    expect(await (await fetch(url)).text()).toBe('text')
    scope.dispose()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('scope: a resource that is added after disposal is released immediately', () => {
    const scope = createScope()
    scope.dispose()
    const onDispose = vi.fn()
    scope.add(onDispose)
    expect(onDispose).toHaveBeenCalledTimes(1)
  })
})
