import { expect, it, vi } from 'vitest'
import { handleAppLaunches } from './launches.ts'

function setUp() {
  let launchConsumer: (params: { targetURL?: string | null; files?: readonly FileSystemHandle[] }) => void = () => {}
  const clock = { ms: 0 }
  const pushAddress = vi.fn()
  const launchQueue = {
    setConsumer(next: typeof launchConsumer) {
      launchConsumer = next
    },
  }
  const receiveFiles = vi.fn()
  handleAppLaunches({ launchQueue }, { history: { push: pushAddress } }, () => clock.ms, receiveFiles)
  const launchApp = (targetURL: string | null, files?: readonly FileSystemHandle[]) =>
    launchConsumer({ targetURL, ...(files && { files }) })
  return { clock, push: pushAddress, receive: receiveFiles, launch: launchApp }
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
  const rootFolder = await navigator.storage.getDirectory()
  const fileHandle = await rootFolder.getFileHandle('launched.wav', { create: true })
  launch(`${location.origin}/account/maker`, [rootFolder, fileHandle])
  clock.ms = 60_000
  launch(`${location.origin}/account/maker`, [fileHandle])
  launch(`${location.origin}/account/maker`, [])
  expect(receive.mock.calls).toEqual([[[fileHandle]], [[fileHandle]]])
  expect(push).toHaveBeenCalledTimes(2)
  await rootFolder.removeEntry('launched.wav')
})
