/** What this device has left for files, as far as the browser tells. */
export interface DeviceRoom {
  readonly bytes: number | undefined
  /** Asks again; the answer is there when it resolves. */
  refresh(): Promise<void>
}

export function createDeviceRoom(): DeviceRoom {
  let bytes: number | undefined
  return {
    get bytes() {
      return bytes
    },
    async refresh() {
      try {
        const { quota, usage = 0 } = await navigator.storage.estimate()
        bytes = quota === undefined ? undefined : quota - usage
      } catch {
        bytes = undefined
      }
    },
  }
}
