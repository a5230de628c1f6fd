// Replaces the YouTube IFrame Player API in tests, with the methods and events that the product uses. As in the real API, the player runs in the
// frame and communicates by messages: a frame that is moved or reloaded loses its playback, and the player's methods exist only after
// `onReady`. The file is served as a classic script.

interface PlayerInfo {
  time: number
  duration: number
  state: number
  volume: number
  muted: boolean
  rate: number
  videoId: string
  loaded: number
}

interface PlayerMessage {
  event?: string
  data?: unknown
  info?: Partial<PlayerInfo>
}

type Listener = (event: { target: Player; data: unknown }) => void

interface PlayerOptions {
  host?: string
  videoId?: string
  width?: number | string
  height?: number | string
  playerVars?: Record<string, unknown>
  events?: Record<string, Listener>
}

const PlayerState = { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 }
const playerCommands = [
  'loadVideoById',
  'cueVideoById',
  'playVideo',
  'pauseVideo',
  'stopVideo',
  'seekTo',
  'setVolume',
  'mute',
  'unMute',
  'setPlaybackRate',
  'setLoop',
]
let widgetCount = 0

class Player {
  private readonly iframe: HTMLIFrameElement
  private readonly listeners = new Map<string, Listener[]>()
  private readonly info: PlayerInfo

  constructor(elementOrId: string | Element, options: PlayerOptions = {}) {
    const hostElement = typeof elementOrId === 'string' ? document.getElementById(elementOrId) : elementOrId
    if (hostElement === null) throw new Error('The element of the player does not exist')
    this.info = {
      time: 0,
      duration: 0,
      state: PlayerState.UNSTARTED,
      volume: 100,
      muted: false,
      rate: 1,
      videoId: options.videoId ?? '',
      loaded: 0,
    }
    for (const [name, listener] of Object.entries(options.events ?? {})) this.addEventListener(name, listener)
    window.addEventListener('message', this.receive)
    this.iframe = hostElement instanceof HTMLIFrameElement ? hostElement : this.createFrame(hostElement, options)
  }

  addEventListener(name: string, listener: Listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener])
  }

  removeEventListener(eventName: string, listener: Listener) {
    this.listeners.set(
      eventName,
      (this.listeners.get(eventName) ?? []).filter((each) => each !== listener),
    )
  }

  getIframe() {
    return this.iframe
  }

  destroy() {
    window.removeEventListener('message', this.receive)
    this.iframe.remove()
  }

  private createFrame(element: Element, options: PlayerOptions) {
    const iframeElement = document.createElement('iframe')
    iframeElement.id = element.id
    iframeElement.className = element.className
    const queryParams = new URLSearchParams(Object.entries(options.playerVars ?? {}).map(([key, value]) => [key, String(value)]))
    queryParams.set('enablejsapi', '1')
    if (!queryParams.has('origin')) queryParams.set('origin', location.origin)
    queryParams.set('widgetid', String(++widgetCount))
    iframeElement.width = String(options.width ?? 640)
    iframeElement.height = String(options.height ?? 360)
    iframeElement.title = 'YouTube video player'
    iframeElement.allow = 'accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture; web-share'
    iframeElement.referrerPolicy = 'strict-origin-when-cross-origin'
    iframeElement.allowFullscreen = true
    iframeElement.src = `${options.host ?? 'https://www.youtube.com'}/embed/${options.videoId ?? ''}?${queryParams}`
    element.replaceWith(iframeElement)
    return iframeElement
  }

  private readonly receive = (event: MessageEvent<PlayerMessage>) => {
    if (event.source === null || event.source !== this.iframe.contentWindow) return
    const { event: eventName, data, info } = event.data
    Object.assign(this.info, info)
    if (eventName === undefined) return
    if (eventName === 'onReady') this.addPlayerMethods()
    for (const listener of this.listeners.get(eventName) ?? []) listener({ target: this, data: data ?? null })
  }

  private addPlayerMethods() {
    for (const commandName of playerCommands) {
      Reflect.set(this, commandName, (...args: unknown[]) => {
        this.iframe.contentWindow?.postMessage({ command: commandName, args }, '*')
        return this
      })
    }
    const { info } = this
    Object.assign(this, {
      getCurrentTime: () => info.time,
      getDuration: () => info.duration,
      getPlayerState: () => info.state,
      getVolume: () => info.volume,
      isMuted: () => info.muted,
      getPlaybackRate: () => info.rate,
      getAvailablePlaybackRates: () => [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2],
      getVideoLoadedFraction: () => info.loaded,
      getVideoUrl: () => `https://www.youtube.com/watch?v=${info.videoId}`,
      getVideoData: () => ({ video_id: info.videoId, title: info.videoId, author: '' }),
      getOption: () => undefined,
      setOption: () => undefined,
    })
  }
}

Object.assign(window, { YT: { Player, PlayerState, loaded: 1, ready: (callback: () => void) => callback() } })
setTimeout(() => {
  const readyCallback: unknown = Reflect.get(window, 'onYouTubeIframeAPIReady')
  if (typeof readyCallback === 'function') readyCallback()
}, 0)
