import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEmitter } from './emitter.ts'
import { createScope } from './scope.ts'
import { loadOnce, singleFlight } from './single-flight.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('emitter', () => {
  it('calls each listener in the order of subscription, and no longer once it is unsubscribed', () => {
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

  it('does not call a listener that another one unsubscribed, nor one that it subscribed, during the same emit', () => {
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

  it('counts one function subscribed twice as two subscriptions', () => {
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
  it('shares a running call, and runs again after it settled, failed or not', async () => {
    const fetchValue = vi.fn().mockResolvedValueOnce('a').mockRejectedValueOnce(new Error('b')).mockResolvedValueOnce('c')
    const fetchShared = singleFlight<string>(fetchValue)
    expect(await Promise.all([fetchShared(), fetchShared()])).toEqual(['a', 'a'])
    await expect(fetchShared()).rejects.toThrow('b')
    expect(await fetchShared()).toBe('c')
    expect(fetchValue).toHaveBeenCalledTimes(3)
  })
})

describe('loadOnce', () => {
  it('loads once, and again after a failure', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('loaded')
    const getOnce = loadOnce<string>(load)
    await expect(getOnce()).rejects.toThrow('offline')
    expect(await Promise.all([getOnce(), getOnce()])).toEqual(['loaded', 'loaded'])
    expect(await getOnce()).toBe('loaded')
    expect(load).toHaveBeenCalledTimes(2)
  })
})

describe('scope', () => {
  it('releases what it owns once, the last acquired first', () => {
    const scope = createScope()
    const released: string[] = []
    scope.add(() => released.push('first'))
    scope.add(() => released.push('second'))
    const disposeEarly = scope.add(() => released.push('early'))
    disposeEarly()
    disposeEarly()
    scope.dispose()
    scope.dispose()
    expect(released).toEqual(['early', 'second', 'first'])
    expect(scope.signal.aborted).toBe(true)
    expect(scope.signal.aborted).toBe(true)
  })

  it('removes listeners and stops timers', () => {
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

  it('revokes object URLs', async () => {
    const scope = createScope()
    const url = scope.objectUrl(new Blob(['text']))
    expect(await (await fetch(url)).text()).toBe('text')
    scope.dispose()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('releases at once what is added after its disposal', () => {
    const scope = createScope()
    scope.dispose()
    const onDispose = vi.fn()
    scope.add(onDispose)
    expect(onDispose).toHaveBeenCalledTimes(1)
  })
})
