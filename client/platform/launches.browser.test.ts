import { expect, it, vi } from 'vitest'
import { handleAppLaunches } from './launches.ts'

function setUp() {
  let launchConsumer: (params: { targetURL?: string | null; files?: readonly FileSystemHandle[] }) => void = () => {}
  const clock = { ms: 0 }
  const push = vi.fn()
  const launchQueue = {
    setConsumer(next: typeof launchConsumer) {
      launchConsumer = next
    },
  }
  const receive = vi.fn()
  handleAppLaunches({ launchQueue }, { history: { push } }, () => clock.ms, receive)
  const launchApp = (targetURL: string | null, files?: readonly FileSystemHandle[]) =>
    launchConsumer({ targetURL, ...(files && { files }) })
  return { clock, push, receive, launch: launchApp }
}

it('launches: a shortcut opened while the app runs navigates to its URL', () => {
  const { clock, push, launch } = setUp()
  clock.ms = 60_000
  launch(`${location.origin}/go/random`)
  launch(`${location.origin}/playlist?p=a%26b`)
  expect(push.mock.calls).toEqual([['/go/random'], ['/playlist?p=a%26b']])
})

it('launches: the launch that opened the page does not navigate, nor does a launch without a path of this site', () => {
  const { clock, push, launch } = setUp()
  launch(`${location.origin}/go/random`)
  clock.ms = 60_000
  launch(`${location.origin}/`)
  launch('https://elsewhere.example/x')
  launch(null)
  expect(push).not.toHaveBeenCalled()
})

it('launches: nothing happens in browsers without `launchQueue`', () => {
  expect(() => handleAppLaunches({}, { history: { push() {} } })).not.toThrow()
})

it('launches: opened files are passed on, including the files of the launch that opened the page', async () => {
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
