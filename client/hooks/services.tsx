import { createContext, type ReactNode, use } from 'react'
import type { InitialData } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'
import type { AccountRepository } from '../data/account-repository.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import type { ExportHistory } from '../data/export-history.ts'
import type { Favorites } from '../data/favorites.ts'
import type { FollowedSongs } from '../data/followed-songs.ts'
import type { Follows } from '../data/follows.ts'
import type { DeviceDatabase } from '../data/local-database.ts'
import type { OfflinePlaylists } from '../data/offline-playlists.ts'
import type { Outbox } from '../data/outbox.ts'
import type { OwnPlaylists } from '../data/own-playlists.ts'
import type { Resource } from '../data/resource.ts'
import type { Engine } from '../engine/engine.ts'
import type { AccountApi, Api } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import type { AppInstaller } from '../platform/install.ts'
import type { PagePlayer, Player } from '../player/player-interface.ts'
import type { RadioPlayer } from '../player/radio/radio-player-interface.ts'
import type { PlayStore } from '../player/song-source.ts'

/** Changes of an account that are stored on this device first and sent to the server afterwards. */
export interface OfflineMutations extends PlayStore {
  outbox: Outbox
  makeHistory: ExportHistory
  favorites: Favorites
  ownPlaylists: OwnPlaylists
  follows: Follows
  /** Returns the newest songs of the artists that an account follows; `ANONYMOUS_UID` for a person who is not signed in. */
  followedSongs(uid: string): Resource<FollowedSongs>
  /** Removes the fetched rows of an account from this device. Its unsent changes stay. */
  forgetAccount(uid: string): Promise<void>
  /**
   * Removes all that the account `previousUid` has left in this tab and on this device. Must be called after each login and sign-out; `previousUid` is
   * `undefined` if no account was signed in before. Never rejects.
   */
  leaveAccount(previousUid: string | undefined): Promise<void>
}

/** The services of a page on any host name. `kind` tells whether the host serves the main site, a radio or a subscriber's site. */
interface CommonServices {
  site: Site
  install: AppInstaller
}

export interface RadioHostServices extends CommonServices {
  kind: 'radio'
  radio: RadioPlayer
}

export interface SubscriberHostServices extends CommonServices {
  kind: 'subscriber'
}

/**
 * All services that components of the main site use, such as the API, the player and the local database. `client/app` creates them once per
 * page.
 */
export interface Services extends CommonServices {
  kind: 'main'
  api: Api
  /** Calls the API with the token of the signed-in account. */
  accountApi: AccountApi
  identity: Identity
  accounts: AccountRepository
  /**
   * Loads the on-demand chunk of the offline mutations. The page loads the chunk by itself when idle if an account is signed in or rows
   * wait.
   */
  offlineMutations(): Promise<OfflineMutations>
  /** The rows in the page's HTML. */
  initialData: InitialData
  catalogue: Catalogue
  /** The player of the page. Its chunk is loaded at the first sign of intent, when the page is idle, or by the first command. */
  player: PagePlayer
  /** Loads the player's chunk. Resolves with the player of the catalogue's songs once it has restored the playback session. */
  loadPlayer(): Promise<Player>
  /** Replaces the page's player by `player`, which must delegate catalogue songs to the player that `loadPlayer` returns. */
  showPlayer(player: PagePlayer): void
  database: DeviceDatabase
  offlinePlaylists: OfflinePlaylists
  connection: Connection
  /** Loads the maker's engine on first use. Each account has its own engine. */
  openEngine(): Promise<Engine>
  /**
   * Loads the code of the engine, and creates an engine that has the built-in sample loaded and saves nothing. The caller must dispose the
   * engine.
   */
  openSampleEngine(): Promise<Engine>
  /** Removes all cached rows and pictures except pinned playlists. */
  clearCache(): Promise<void>
}

/** The value of the router's `context`: route loaders start refreshes through these services. */
export interface RouterContext {
  services: Services
}

export type HostServices = Services | RadioHostServices | SubscriberHostServices

const ServicesContext = createContext<HostServices | undefined>(undefined)

export function ServicesProvider({ services, children }: { services: HostServices; children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>
}

export function useHostServices(): HostServices {
  const services = use(ServicesContext)
  if (!services) throw new Error('useServices needs a ServicesProvider.')
  return services
}

export function useServices(): Services {
  const services = useHostServices()
  if (services.kind !== 'main') throw new Error(`useServices: not for a ${services.kind} host.`)
  return services
}

export const useSite = (): Site => useHostServices().site
