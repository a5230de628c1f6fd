import { createContext, type ReactNode, use } from 'react'
import type { Site } from '../../contract/site.ts'
import type { Accounts } from '../data/account-repository.ts'
import type { Catalogue } from '../data/catalogue-repository.ts'
import type { Favorites } from '../data/favorites-interface.ts'
import type { Keeper } from '../data/keeper-interface.ts'
import type { MakeHistory } from '../data/make-history.ts'
import type { Outbox } from '../data/outbox.ts'
import type { DeviceStore } from '../data/store.ts'
import type { Engine } from '../engine/engine.ts'
import type { AccountApi, Api } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import type { Install } from '../platform/install.ts'
import type { Player } from '../player/player-interface.ts'

/** What changes something in the name of who is signed in: it is made on this device first. */
export interface Writes {
  outbox: Outbox
  makeHistory: MakeHistory
  favorites: Favorites
  /** A play that the site could not be told of is sent later, in nobody's name, as all are. */
  keepPlay(play: { s: string; p?: string }): Promise<void>
}

/** What the page is made of, constructed once in `app/`. */
export interface Services {
  api: Api
  /** Calls in the name of who is signed in. */
  accountApi: AccountApi
  identity: Identity
  accounts: Accounts
  /** Comes when somebody is signed in or something waits, once the page is idle, or when it is asked for. */
  writes(): Promise<Writes>
  site: Site
  catalogue: Catalogue
  player: Player
  store: DeviceStore
  keeper: Keeper
  connection: Connection
  install: Install
  /** The maker's engine, fetched when it is first asked for; another one for another person. */
  openEngine(): Promise<Engine>
  /** Removes all that a person did not choose to keep. */
  clearSeen(): Promise<void>
}

/** What routes get as their `context`: loaders start refreshes with it. */
export interface RouterContext {
  services: Services
}

const ServicesContext = createContext<Services | undefined>(undefined)

export function ServicesProvider({ services, children }: { services: Services; children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>
}

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('useServices needs a ServicesProvider above it.')
  return services
}

export const useSite = (): Site => useServices().site
