// Stand-in for the video platform's player script: the part of its documented interface that a page can use. As with the
// real one, the player lives in the frame and talks by messages, so a frame that is moved or reloaded loses its playback,
// and the player's methods exist only once it is ready. Sent to the page as one plain script.

interface Info {
  time: number
  duration: number
  state: number
  volume: number
  muted: boolean
  rate: number
  videoId: string
  loaded: number
}

interface Message {
  event?: string
  data?: unknown
  info?: Partial<Info>
}

type Listener = (event: { target: Player; data: unknown }) => void

interface Options {
  host?: string
  videoId?: string
  width?: number | string
  height?: number | string
  playerVars?: Record<string, unknown>
  events?: Record<string, Listener>
}

const PlayerState = { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 }
const commands = [
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
let widgets = 0

class Player {
  private readonly iframe: HTMLIFrameElement
  private readonly listeners = new Map<string, Listener[]>()
  private readonly info: Info

  constructor(target: string | Element, options: Options = {}) {
    const element = typeof target === 'string' ? document.getElementById(target) : target
    if (element === null) throw new Error('The player was given no element')
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
    this.iframe = element instanceof HTMLIFrameElement ? element : this.createFrame(element, options)
  }

  addEventListener(name: string, listener: Listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener])
  }

  removeEventListener(name: string, listener: Listener) {
    this.listeners.set(
      name,
      (this.listeners.get(name) ?? []).filter((each) => each !== listener),
    )
  }

  getIframe() {
    return this.iframe
  }

  destroy() {
    window.removeEventListener('message', this.receive)
    this.iframe.remove()
  }

  private createFrame(element: Element, options: Options) {
    const iframe = document.createElement('iframe')
    iframe.id = element.id
    iframe.className = element.className
    const query = new URLSearchParams(Object.entries(options.playerVars ?? {}).map(([key, value]) => [key, String(value)]))
    query.set('enablejsapi', '1')
    if (!query.has('origin')) query.set('origin', location.origin)
    query.set('widgetid', String(++widgets))
    iframe.width = String(options.width ?? 640)
    iframe.height = String(options.height ?? 360)
    iframe.title = 'YouTube video player'
    iframe.allow = 'accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture; web-share'
    iframe.referrerPolicy = 'strict-origin-when-cross-origin'
    iframe.allowFullscreen = true
    iframe.src = `${options.host ?? 'https://www.youtube.com'}/embed/${options.videoId ?? ''}?${query}`
    element.replaceWith(iframe)
    return iframe
  }

  private readonly receive = (event: MessageEvent<Message>) => {
    if (event.source === null || event.source !== this.iframe.contentWindow) return
    const { event: name, data, info } = event.data
    Object.assign(this.info, info)
    if (name === undefined) return
    if (name === 'onReady') this.becomeReady()
    for (const listener of this.listeners.get(name) ?? []) listener({ target: this, data: data ?? null })
  }

  private becomeReady() {
    for (const command of commands) {
      Reflect.set(this, command, (...args: unknown[]) => {
        this.iframe.contentWindow?.postMessage({ command, args }, '*')
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
      getAvailablePlaybackRates: () => [0.25, 0.5, 1, 1.5, 2],
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
  const ready: unknown = Reflect.get(window, 'onYouTubeIframeAPIReady')
  if (typeof ready === 'function') ready()
}, 0)
