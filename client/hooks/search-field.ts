import { createRef } from 'react'

/** The search field of the page, which the navigation bar focuses; empty while the page has none. */
export const pageSearchFieldRef = createRef<HTMLInputElement>()
