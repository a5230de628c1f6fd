import { afterEach, expect, it, vi } from 'vitest'
import { cacheVisitedPages } from './worker-maintenance.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the document of a page is cached once it was shown for three seconds, under the address that was shown', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cachedPaths: string[] = []
  const controller = { postMessage: ({ path }: { path: string }) => cachedPaths.push(path) }
  const container = Object.assign(new EventTarget(), { controller })
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const pageUrl = location.href
  // The cast is safe, because the function uses these members only.
  const notePageShown = cacheVisitedPages(container as unknown as ServiceWorkerContainer)
  const showPage = (path: string) => {
    history.replaceState(history.state, '', path)
    notePageShown()
  }
  const setHidden = (hidden: boolean) => {
    isHidden.mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  try {
    showPage('/first')
    vi.advanceTimersByTime(2_999)
    showPage('/second')
    vi.advanceTimersByTime(2_999)
    expect(cachedPaths).toEqual([])
    history.replaceState(history.state, '', '/loading')
    vi.advanceTimersByTime(60_000)
    expect(cachedPaths).toEqual(['/second'])
    showPage('/third')
    setHidden(true)
    expect(cachedPaths).toEqual(['/second', '/third'])
    showPage('/in-the-background')
    vi.advanceTimersByTime(60_000)
    expect(cachedPaths).toHaveLength(2)
    setHidden(false)
    vi.advanceTimersByTime(60_000)
    expect(cachedPaths).toEqual(['/second', '/third', '/in-the-background'])
  } finally {
    history.replaceState(history.state, '', pageUrl)
  }
})
