/** How this site can be put on the home screen here: by a press, by hand (`steps`), not at all, or it is already (`installed`). */
export type InstallWay = 'press' | 'steps' | 'none' | 'installed'

export interface Install {
  readonly way: InstallWay
  subscribe(listener: () => void): () => void
  /** Where the way is `press`: the browser asks. Gives whether the person agreed. */
  install(): Promise<boolean>
}

/** Chromium's event; it is in no standard. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}
const isPrompt = (event: Event): event is InstallPromptEvent => 'prompt' in event

const installedModes =
  '(display-mode: standalone), (display-mode: fullscreen), (display-mode: minimal-ui), (display-mode: window-controls-overlay)'

/** Listens from the start: the event comes once, often before the page is drawn. */
export function createInstall(browser: Window = window): Install {
  const listeners = new Set<() => void>()
  let prompt: InstallPromptEvent | undefined
  const isInstalled = () =>
    browser.matchMedia(installedModes).matches || ('standalone' in browser.navigator && browser.navigator.standalone === true)
  let done = isInstalled()
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  browser.addEventListener('beforeinstallprompt', (event) => {
    if (!isPrompt(event)) return
    // The site has its own button for it.
    event.preventDefault()
    prompt = event
    tell()
  })
  browser.addEventListener('appinstalled', () => {
    done = true
    prompt = undefined
    tell()
  })
  return {
    get way() {
      if (done) return 'installed'
      if (prompt) return 'press'
      return isApplePhone(browser.navigator) ? 'steps' : 'none'
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async install() {
      const asked = prompt
      if (!asked) return false
      prompt = undefined
      const { outcome } = await asked.prompt()
      tell()
      return outcome === 'accepted'
    },
  }
}

/** iPhone and iPad, also one that calls itself a Mac: installing is done from the share menu there, and fires no event. */
const isApplePhone = ({ userAgent, maxTouchPoints }: Navigator) =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
