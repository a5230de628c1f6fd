import { createEmitter } from '../primitives/emitter.ts'
import { pageScope } from '../primitives/scope.ts'
import { getEarlyEvents } from './early-events.ts'
import { localStore } from './web-storage.ts'

/** `press`: the browser can be asked to install the app. `steps`: a person installs the app from the browser's menu. */
export type InstallMethod = 'press' | 'steps' | 'none' | 'installed'

export interface AppInstaller {
  readonly method: InstallMethod
  /** The kind of device that the `steps` describe. */
  readonly device: 'phone' | 'tablet'
  subscribe(listener: () => void): () => void
  /** Shows the browser's install prompt, for the method `press`. Returns whether the person accepted. */
  install(): Promise<boolean>
}

/** Chromium's `beforeinstallprompt` event (https://wicg.github.io/manifest-incubations/), which TypeScript's DOM types lack. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}
const isInstallPrompt = (event: Event): event is InstallPromptEvent => 'prompt' in event

const installedDisplayModes =
  '(display-mode: standalone), (display-mode: fullscreen), (display-mode: minimal-ui), (display-mode: window-controls-overlay)'

const DECLINED_STORAGE_KEY = 'install-declined'
/**
 * The time in milliseconds for which the button is hidden after a person dismissed the install prompt. The app can still be installed from
 * the browser's menu.
 */
export const INSTALL_BUTTON_HIDDEN_MS = 30 * 86_400_000

/** Tracks whether the app can be installed. `beforeinstallprompt` fires once, often before the program is loaded. */
export function createAppInstaller(browser: Window = window): AppInstaller {
  const stateChanges = createEmitter()
  let installPrompt = getEarlyEvents()
    .map(({ event }) => event)
    .find(isInstallPrompt)
  const isInstalledApp = () =>
    browser.matchMedia(installedDisplayModes).matches || ('standalone' in browser.navigator && browser.navigator.standalone === true)
  let isAppInstalled = isInstalledApp()
  let isInstallDeclined = wasInstallDeclined()
  pageScope.listen(browser, 'beforeinstallprompt', (event) => {
    if (!isInstallPrompt(event)) return
    // Cancels `beforeinstallprompt`, which hides the browser's own install banner, because the site has an install button.
    event.preventDefault()
    installPrompt = event
    stateChanges.emit()
  })
  pageScope.listen(browser, 'appinstalled', () => {
    isAppInstalled = true
    installPrompt = undefined
    stateChanges.emit()
  })
  return {
    get method() {
      if (isAppInstalled) return 'installed'
      if (installPrompt) return isInstallDeclined ? 'none' : 'press'
      return hasShareMenu(browser.navigator) ? 'steps' : 'none'
    },
    device: /iPhone|iPod/.test(browser.navigator.userAgent) ? 'phone' : 'tablet',
    subscribe: stateChanges.subscribe,
    async install() {
      const shownPrompt = installPrompt
      if (!shownPrompt) return false
      installPrompt = undefined
      const promptResult = await shownPrompt.prompt().catch(() => undefined)
      if (promptResult?.outcome === 'dismissed') {
        isInstallDeclined = true
        storeDeclineTime()
      }
      stateChanges.emit()
      return promptResult?.outcome === 'accepted'
    },
  }
}

/**
 * Whether the browser installs apps from its share menu, as browsers on iPhone and iPad do. An iPad may identify itself as a Mac. In-app
 * browsers have no share menu; their user agent lacks `Safari/`.
 */
const hasShareMenu = ({ userAgent, maxTouchPoints }: Navigator) =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) && / Safari\//.test(userAgent)

const wasInstallDeclined = (): boolean =>
  Date.now() - Number(localStore.read(DECLINED_STORAGE_KEY) ?? Number.NaN) < INSTALL_BUTTON_HIDDEN_MS

/** Stores the dismissal. Without storage, the button is shown again on the next visit. */
const storeDeclineTime = (): void => void localStore.write(DECLINED_STORAGE_KEY, String(Date.now()))
