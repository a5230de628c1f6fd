/** The part of a BroadcastChannel that is used. */
export interface TabChannel {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
  close(): void
}

export const openTabChannel = (): TabChannel | undefined =>
  typeof BroadcastChannel === 'function' ? new BroadcastChannel('varispeed.player') : undefined

/** Of all the tabs of an origin one plays: the latest that started. */
export function createTabs(channel: TabChannel | undefined, onOtherStarted: () => void) {
  if (channel) {
    channel.onmessage = (event: MessageEvent<unknown>) => {
      if (event.data === 'started') onOtherStarted()
    }
  }
  return {
    started: () => channel?.postMessage('started'),
    close: () => channel?.close(),
  }
}
