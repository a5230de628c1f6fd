const bannerWidthsPx = [640, 1280] as const

interface BannerProps {
  domainName: string
  /** The version of the picture, which is part of its URL, so that the browser requests a changed picture again. */
  version?: number
  /** Sets the width; the height follows from the ratio of 16 to 5. */
  className: string | undefined
}

/** The banner of a website: its picture, or a drawn one. */
export function Banner({ domainName, version, className }: BannerProps) {
  const sourcePath = `/img/website/${domainName}`
  const versionQuery = version === undefined ? '' : `?${version}`
  return (
    <img
      className={className}
      src={`${sourcePath}/1280${versionQuery}`}
      srcSet={bannerWidthsPx.map((width) => `${sourcePath}/${width}${versionQuery} ${width}w`).join(', ')}
      sizes="100vw"
      width={1280}
      height={400}
      alt=""
      fetchPriority="high"
    />
  )
}
