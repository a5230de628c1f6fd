/** The websites of subscribers. */
export interface WebsitesTable {
  uid: string
  /** The address, if the account has verified it, which may have a role; else empty. */
  email: string
  name: string
  enabled: number
  /** The other texts as JSON, by field. */
  texts: string
}

/** The domain names that lead to a website: the current one, and earlier ones until a time in epoch milliseconds. */
export interface WebsiteNamesTable {
  domain_name: string
  uid: string
  until: number | null
}

/** The clicks on a website, by day, counted from 1970-01-01 UTC, and what was pressed. */
export interface WebsiteClicksTable {
  uid: string
  day: number
  target: string
  count: number
}

/** The uploaded banners of websites. */
export interface WebsiteBannersTable {
  uid: string
  hash: string
  base64: string
}
