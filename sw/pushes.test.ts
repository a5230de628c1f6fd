import { afterEach, expect, it, vi } from 'vitest'
import { openNewSongs, PAGE_ANSWER_TIMEOUT_MS, renewPushSubscription, showPush } from './pushes.ts'

afterEach(() => {
  vi.useRealTimers()
})

const payloadCases: readonly (readonly [payload: string | undefined, text: string, badge: number | undefined])[] = [
  ['{"songs":1}', '1 new song of an artist you follow', 1],
  ['{"songs":12}', '12 new songs of artists you follow', 12],
  ...['{"songs":0}', '{"songs":"<b>"}', '{"songs":1.5}', '{"songs":1e400}', 'null', '[]', '{', '', undefined].map(
    (payload) => [payload, 'New songs of artists you follow', undefined] as const,
  ),
]

it.each(payloadCases)('a push with the payload %s is shown as "%s", and as the badge %s', async (payloadText, shownText, badge) => {
  const showNotification = vi.fn(async () => {})
  const setAppBadge = vi.fn(() => Promise.reject(new DOMException('not installed', 'NotAllowedError')))
  // The cast is safe, because only these methods are called.
  const worker = { registration: { showNotification }, navigator: { setAppBadge } } as unknown as Parameters<typeof showPush>[0]
  await showPush(worker, payloadText)
  await showPush({ ...worker, navigator: {} }, payloadText)
  expect(showNotification.mock.calls).toEqual(Array(2).fill([shownText, expect.objectContaining({ tag: 'new-songs' })]))
  expect(setAppBadge.mock.calls).toEqual(badge === undefined ? [] : [[badge]])
})

it('a subscription that the browser has ended is made again with its key, unless the browser has done so', async () => {
  const subscribe = vi.fn()
  const options = { applicationServerKey: new ArrayBuffer(65), userVisibleOnly: true }
  // The casts are safe, because only these members are used.
  const registration = { pushManager: { subscribe } } as unknown as ServiceWorkerRegistration
  const oldSubscription = { options } as PushSubscription
  await renewPushSubscription(registration, { oldSubscription: null, newSubscription: null })
  await renewPushSubscription(registration, { oldSubscription, newSubscription: oldSubscription })
  expect(subscribe).not.toHaveBeenCalled()
  await renewPushSubscription(registration, { oldSubscription, newSubscription: null })
  expect(subscribe.mock.calls).toEqual([[options]])
})

type SiteWindow = Awaited<ReturnType<Parameters<typeof openNewSongs>[0]['matchAll']>>[number]

/** Presses a notification while the windows are open. Returns what happens, in order. */
async function pressNotification(openWindows: (Partial<SiteWindow> & { name: string; answers: boolean })[]): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const events: string[] = []
  const toSiteWindow = ({ name, answers, ...members }: (typeof openWindows)[number]): SiteWindow => ({
    ...{ url: 'https://example.org/', focused: false, frameType: 'top-level' },
    async focus() {
      events.push(`${name} is focused`)
      return this
    },
    postMessage(message, [port]) {
      events.push(`${name} gets ${JSON.stringify(message)}`)
      if (answers) port?.postMessage('')
      else void vi.advanceTimersByTimeAsync(PAGE_ANSWER_TIMEOUT_MS)
    },
    async navigate(url) {
      events.push(`${name} loads ${url}`)
    },
    ...members,
  })
  const openWindow = async (url: string) => events.push(`a new window loads ${url}`)
  await openNewSongs({ matchAll: async () => openWindows.map(toSiteWindow), openWindow }, 'https://example.org')
  return events
}

const LATEST_URL = 'https://example.org/latest'
const OPEN_MESSAGE = '{"type":"OPEN_PAGE","path":"/latest"}'

it('a pressed notification lets the page of an open window show Latest, without loading a document', async () => {
  expect(await pressNotification([{ name: 'first', answers: true }])).toEqual(['first is focused', `first gets ${OPEN_MESSAGE}`])
})

it('a pressed notification prefers the window with the focus, then one that shows Latest, and ignores frames', async () => {
  const readFocused = async (windows: Parameters<typeof pressNotification>[0]) => (await pressNotification(windows))[0]
  const frame = { name: 'frame', answers: true, frameType: 'nested', focused: true } as const
  const other = { name: 'other', answers: true }
  const latest = { name: 'latest', answers: true, url: `${LATEST_URL}#news-1` }
  const withFocus = { name: 'focused', answers: true, focused: true }
  expect(await readFocused([frame, other, latest, withFocus])).toBe('focused is focused')
  expect(await readFocused([frame, other, latest])).toBe('latest is focused')
  expect(await readFocused([frame, other])).toBe('other is focused')
})

it('a pressed notification loads Latest if the page does not answer, and in a new window if that fails or no window is open', async () => {
  const silent = { name: 'first', answers: false }
  const asked = ['first is focused', `first gets ${OPEN_MESSAGE}`]
  expect(await pressNotification([silent])).toEqual([...asked, `first loads ${LATEST_URL}`])
  const navigate = () => Promise.reject(new TypeError('not controlled by this worker'))
  expect(await pressNotification([{ ...silent, navigate }])).toEqual([...asked, `a new window loads ${LATEST_URL}`])
  expect(await pressNotification([])).toEqual([`a new window loads ${LATEST_URL}`])
})
