import type { PageWithLoadedHeading } from '../../contract/page-properties.ts'
import type { PagePath } from '../../contract/pages.ts'
import type { Settings } from '../../contract/site.ts'

/** The paths of pages whose head depends only on the page table and the settings, not on rows or the query. */
export type FixedHeadPath = Exclude<PagePath, PageWithLoadedHeading>

/** Returns the `<meta name="description">` of a page from the site's settings. */
export const pageDescriptions: Record<FixedHeadPath, (settings: Settings) => string> = {
  '/playlists': ({ NAME }) => `Every playlist of ${NAME}, the most played first: pick a mood and let it run.`,
  '/recent': ({ NAME }) => `The songs of ${NAME} that you played on this device.`,
  '/year': ({ NAME }) => `Your year at ${NAME}: the minutes, songs and artists that you played on this device.`,
  '/storage': ({ NAME }) => `What ${NAME} keeps on this device for the time without a connection, and how to free it.`,
  '/login': ({ NAME }) => `Log in to ${NAME} to keep your favorite songs.`,
  '/signup': ({ NAME }) => `Make an account at ${NAME} and keep your favorite songs.`,
  '/forgot-password': ({ NAME }) => `Get a mail that lets you choose a new password for ${NAME}.`,
  '/reset-password': ({ NAME }) => `Choose a new password for ${NAME}.`,
  '/verify-email': ({ NAME }) => `Confirm the address of your account at ${NAME}.`,
  '/account': ({ NAME }) => `Your favorites and your account at ${NAME}.`,
  '/account/change-password': ({ NAME }) => `Change the password of your account at ${NAME}.`,
  '/account/website': ({ NAME }) => `Your own website at ${NAME}.`,
  '/account/promotion': ({ NAME }) => `Have your channel promoted by ${NAME}.`,
  '/account/maker': ({ NAME }) => `Change the speed and pitch of a song in your browser with the maker of ${NAME}.`,
  '/account/make': ({ NAME }) => `Have ${NAME} change the speed of a song for you.`,
  '/account/artwork': ({ NAME }) => `Ask ${NAME} for artwork for your channel.`,
  '/subscribe': ({ NAME }) => `Support ${NAME}: a personal website, the full maker, a promotion schedule and a role on Discord.`,
  '/network': ({ NAME }) =>
    `The network of ${NAME}: its members, what they get from it, and the Academy for channels under 100 subscribers.`,
  '/members': ({ NAME }) => `The channels that make up the network of ${NAME}.`,
  '/latest': () => 'Our latest news, updates and songs',
  '/get-in-touch': ({ NAME }) => `Request a song, apply for the network, report a bug or ask the team of ${NAME} anything else.`,
  '/faq': ({ NAME }) => `Answers to what people ask ${NAME}: the music, how it is made, copyright, and how to join the network.`,
  '/about-us': ({ NAME }) => `How ${NAME} began, and what has happened since.`,
  '/privacy': ({ NAME }) => `What ${NAME} stores about you, why, and how to have it removed.`,
}

/** Returns the description of a radio host's page and of its app. */
export const describeRadio = ({ NAME }: Settings): string => `The radio of ${NAME}: one stream of songs, the same second for everyone.`

/** Returns whether the head of the page at `path` depends only on the page table and the settings. */
export const hasFixedHead = (path: string): path is FixedHeadPath => Object.hasOwn(pageDescriptions, path)
