/** https://wicg.github.io/background-sync/spec/ : in no standard library, and only in some browsers. */
interface Wakeable extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> }
}

// Absent outside secure contexts, whatever the types say.
const container = (): ServiceWorkerContainer | undefined => navigator.serviceWorker

/** Asks the browser to wake the worker once there is a connection, where it does such things. */
export function askToBeWoken(): void {
  container()
    ?.ready.then((registration: Wakeable) => registration.sync?.register('outbox'))
    .catch(() => {
      // Refused by a person's settings: the page looks by itself.
    })
}

/** Calls `work` whenever the worker was woken. */
export function onWoken(work: () => void): void {
  container()?.addEventListener('message', ({ data }) => {
    if (data?.type === 'WOKEN') work()
  })
}
