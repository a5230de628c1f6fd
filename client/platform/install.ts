import { earlyEvents } from './early-events.ts'

/** How this site can be put on the home screen here: by a press, by hand (`steps`), not at all, or it is already (`installed`). */
export type InstallWay = 'press' | 'steps' | 'none' | 'installed'

export interface Install {
  readonly way: InstallWay
  /** Where the way is `steps`: what they are for. */
  readonly device: 'phone' | 'tablet'
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

const DECLINED = 'install-declined'
/** Who says no is not asked again for so long; the browser's own menu installs all the same. */
export const DECLINED_FOR_MS = 30 * 86_400_000

/** The event comes once, often before the program is there. */
export function createInstall(browser: Window = window): Install {
  const listeners = new Set<() => void>()
  let prompt = earlyEvents()
    .map(({ event }) => event)
    .find(isPrompt)
  const isInstalled = () =>
    browser.matchMedia(installedModes).matches || ('standalone' in browser.navigator && browser.navigator.standalone === true)
  let done = isInstalled()
  let declined = wasDeclined()
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
      if (prompt) return declined ? 'none' : 'press'
      return canBeAddedByHand(browser.navigator) ? 'steps' : 'none'
    },
    device: /iPhone|iPod/.test(browser.navigator.userAgent) ? 'phone' : 'tablet',
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async install() {
      const asked = prompt
      if (!asked) return false
      prompt = undefined
      const answer = await asked.prompt().catch(() => undefined)
      if (answer?.outcome === 'dismissed') {
        declined = true
        writeDeclined()
      }
      tell()
      return answer?.outcome === 'accepted'
    },
  }
}

/**
 * Browsers on iPhone and iPad, also on one that calls itself a Mac: installing is done from the share menu there, and fires no
 * event. The windows that other apps show pages in have no such menu; they do not call themselves Safari.
 */
const canBeAddedByHand = ({ userAgent, maxTouchPoints }: Navigator) =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) && / Safari\//.test(userAgent)

// Storage can be refused as a whole; then nothing is remembered.
function wasDeclined(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(DECLINED) ?? Number.NaN) < DECLINED_FOR_MS
  } catch {
    return false
  }
}

function writeDeclined(): void {
  try {
    localStorage.setItem(DECLINED, String(Date.now()))
  } catch {
    // Asked again on the next visit.
  }
}
