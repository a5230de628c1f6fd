/** The types of pictures that can be a logo, by the extension of their address. */
export const logoTypes = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png', webp: 'image/webp', jpg: 'image/jpeg' } as const

export type LogoType = keyof typeof logoTypes
