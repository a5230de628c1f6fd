import type { Settings } from '../../contract/site.ts'

interface FixedPage {
  heading: string
  description: (settings: Settings) => string
  /** Pages of an account or a form's answer are nothing to find by a search engine. */
  unlisted?: true
}

/** The pages of a main host whose head does not depend on the catalogue, by their path. */
export const fixedPages: Record<string, FixedPage> = {
  '/playlists': {
    heading: 'Playlists',
    description: ({ NAME }) => `Every playlist of ${NAME}, the most played first: pick a mood and let it run.`,
  },
  '/storage': {
    heading: 'Storage',
    description: ({ NAME }) => `What ${NAME} keeps on this device for the time without a connection, and how to free it.`,
    unlisted: true,
  },
  '/login': { heading: 'Log in', description: ({ NAME }) => `Log in to ${NAME} to keep your favorite songs.` },
  '/signup': { heading: 'Sign up', description: ({ NAME }) => `Make an account at ${NAME} and keep your favorite songs.` },
  '/forgot-password': {
    heading: 'Forgot password',
    description: ({ NAME }) => `Get a mail that lets you choose a new password for ${NAME}.`,
  },
  '/reset-password': { heading: 'Reset password', description: ({ NAME }) => `Choose a new password for ${NAME}.`, unlisted: true },
  '/verify-email': {
    heading: 'Confirm your email',
    description: ({ NAME }) => `Confirm the address of your account at ${NAME}.`,
    unlisted: true,
  },
  '/account': { heading: 'Dashboard', description: ({ NAME }) => `Your favorites and your account at ${NAME}.`, unlisted: true },
  '/account/change-password': {
    heading: 'Change password',
    description: ({ NAME }) => `Change the password of your account at ${NAME}.`,
    unlisted: true,
  },
  '/account/website': { heading: 'Website', description: ({ NAME }) => `Your own website at ${NAME}.`, unlisted: true },
  '/account/promotion': { heading: 'Promotion', description: ({ NAME }) => `Have your channel promoted by ${NAME}.`, unlisted: true },
  '/account/maker': {
    heading: 'Maker',
    description: ({ NAME }) => `Change the speed and pitch of a song in your browser with the maker of ${NAME}.`,
    unlisted: true,
  },
  '/account/make': {
    heading: 'Convert on the server',
    description: ({ NAME }) => `Have ${NAME} change the speed of a song for you.`,
    unlisted: true,
  },
  '/account/artwork': { heading: 'Artwork', description: ({ NAME }) => `Ask ${NAME} for artwork for your channel.`, unlisted: true },
  '/subscribe': {
    heading: 'Subscriptions',
    description: ({ NAME }) => `Support ${NAME}: a personal website, the full maker, a promotion schedule and a role on Discord.`,
  },
  '/network': {
    heading: 'Network',
    description: ({ NAME }) =>
      `The network of ${NAME}: its members, what they get from it, and the Academy for channels under 100 subscribers.`,
  },
  '/members': { heading: 'Network members', description: ({ NAME }) => `The channels that make up the network of ${NAME}.` },
  '/latest': { heading: 'Latest', description: () => 'Our latest news, updates and songs' },
  '/get-in-touch': {
    heading: 'Get in touch',
    description: ({ NAME }) => `Request a song, apply for the network, report a bug or ask the team of ${NAME} anything else.`,
  },
  '/faq': {
    heading: 'Frequently Asked Questions (FAQ)',
    description: ({ NAME }) => `Answers to what people ask ${NAME}: the music, how it is made, copyright, and how to join the network.`,
  },
  '/about-us': { heading: 'About us', description: ({ NAME }) => `How ${NAME} began, and what has happened since.` },
  '/privacy': { heading: 'Privacy Policy', description: ({ NAME }) => `What ${NAME} stores about you, why, and how to have it removed.` },
}
