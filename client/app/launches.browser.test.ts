import { expect, it, vi } from 'vitest'
import { followLaunches } from './launches.ts'

function setUp() {
  let consumer: (params: { targetURL?: string | null; files?: readonly FileSystemHandle[] }) => void = () => {}
  const clock = { ms: 0 }
  const push = vi.fn()
  const launchQueue = {
    setConsumer(next: typeof consumer) {
      consumer = next
    },
  }
  const receive = vi.fn()
  followLaunches({ launchQueue }, { history: { push } }, () => clock.ms, receive)
  const launch = (targetURL: string | null, files?: readonly FileSystemHandle[]) => consumer({ targetURL, ...(files && { files }) })
  return { clock, push, receive, launch }
}

it('goes where a shortcut of the open app leads', () => {
  const { clock, push, launch } = setUp()
  clock.ms = 60_000
  launch(`${location.origin}/go/random`)
  launch(`${location.origin}/playlist?p=a%26b`)
  expect(push.mock.calls).toEqual([['/go/random'], ['/playlist?p=a%26b']])
})

it('leaves the page that a launch has brought where it is, and a window that is only brought back', () => {
  const { clock, push, launch } = setUp()
  launch(`${location.origin}/go/random`)
  clock.ms = 60_000
  launch(`${location.origin}/`)
  launch('https://elsewhere.example/x')
  launch(null)
  expect(push).not.toHaveBeenCalled()
})

it('asks nothing of browsers without launches', () => {
  expect(() => followLaunches({}, { history: { push() {} } })).not.toThrow()
})

it('hands on what is opened with the app, also by the launch that brought the page', async () => {
  const { clock, push, receive, launch } = setUp()
  const root = await navigator.storage.getDirectory()
  const handle = await root.getFileHandle('launched.wav', { create: true })
  launch(`${location.origin}/account/maker`, [root, handle])
  clock.ms = 60_000
  launch(`${location.origin}/account/maker`, [handle])
  launch(`${location.origin}/account/maker`, [])
  expect(receive.mock.calls).toEqual([[[handle]], [[handle]]])
  expect(push).toHaveBeenCalledTimes(2)
  await root.removeEntry('launched.wav')
})
