/** The members of a BroadcastChannel that `createTabSync` uses. */
export interface TabChannel {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
  close(): void
}

export const openTabChannel = (): TabChannel | undefined =>
  typeof BroadcastChannel === 'function' ? new BroadcastChannel('varispeed.player') : undefined

/** Lets one tab of the origin play at a time. `onOtherTabStarted` is called when another tab starts to play. */
export function createTabSync(channel: TabChannel | undefined, onOtherTabStarted: () => void) {
  if (channel) {
    channel.onmessage = (event: MessageEvent<unknown>) => {
      if (event.data === 'started') onOtherTabStarted()
    }
  }
  return {
    announceStart: () => channel?.postMessage('started'),
    close: () => channel?.close(),
  }
}
