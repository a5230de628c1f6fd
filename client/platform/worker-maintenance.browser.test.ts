import { afterEach, expect, it, vi } from 'vitest'
import { addListener } from '../primitives/scope.ts'
import { connectRouter } from './worker-maintenance.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the document of a page is cached once it was shown for three seconds, under the address that was shown', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cachedPaths: string[] = []
  const controller = { postMessage: ({ path }: { path: string }) => cachedPaths.push(path) }
  const container = Object.assign(new EventTarget(), { controller })
  let notePageShown = () => {}
  const router = {
    subscribe(_eventType: 'onRendered', listener: () => void) {
      notePageShown = listener
    },
  }
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const pageUrl = location.href
  // The cast is safe, because the function uses these members only.
  connectRouter(container as unknown as ServiceWorkerContainer, { ...router, history: { push() {} } })
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

it('the page that the worker requests is opened by the router, and the worker gets an answer', async () => {
  const container = new EventTarget()
  const openPage = vi.fn()
  // The cast is safe, because the function uses these members only.
  connectRouter(container as unknown as ServiceWorkerContainer, { subscribe() {}, history: { push: openPage } })
  const sendMessage = async (message: object) => {
    const { port1: workerPort, port2: pagePort } = new MessageChannel()
    const answerPromise = new Promise((resolve) => {
      workerPort.onmessage = resolve
    })
    container.dispatchEvent(new MessageEvent('message', { data: message, ports: [pagePort] }))
    await answerPromise
    workerPort.close()
  }
  container.dispatchEvent(new MessageEvent('message', { data: { type: 'WOKEN' } }))
  expect(openPage).not.toHaveBeenCalled()
  await sendMessage({ type: 'OPEN_PAGE', path: '/latest' })
  expect(openPage.mock.calls).toEqual([['/latest']])
  // A page that is shown already is not opened again.
  await sendMessage({ type: 'OPEN_PAGE', path: location.pathname })
  expect(openPage).toHaveBeenCalledTimes(1)
})

it('the page that the worker requests is not behind a dialog, also if it is shown already', async () => {
  const container = new EventTarget()
  // The cast is safe, because the function uses these members only.
  connectRouter(container as unknown as ServiceWorkerContainer, { subscribe() {}, history: { push() {} } })
  const onRequest = vi.fn()
  const stopListening = addListener(window, 'page-request', onRequest)
  const dialog = document.body.appendChild(document.createElement('dialog'))
  try {
    for (const path of ['/latest', location.pathname]) {
      dialog.showModal()
      container.dispatchEvent(new MessageEvent('message', { data: { type: 'OPEN_PAGE', path } }))
      expect(dialog.open).toBe(false)
    }
    expect(onRequest).toHaveBeenCalledTimes(2)
  } finally {
    stopListening()
    dialog.remove()
  }
})
