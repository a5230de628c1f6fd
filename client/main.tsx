import './ui/global.css'
import { createRoot } from 'react-dom/client'
import { AppBoundary } from './app/app-boundary.tsx'
import { AppFailure } from './app/app-failure.tsx'
import { HostLanding } from './app/host-landing.tsx'
import { MainSite } from './app/main-site.tsx'
import { createServices } from './app/services.ts'
import { loadSite } from './platform/site.ts'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
const root = createRoot(container)

try {
  const site = await loadSite(document)
  const page = site.host_class === 'main' ? <MainSite services={await createServices(site)} /> : <HostLanding site={site} />
  root.render(<AppBoundary>{page}</AppBoundary>)
} catch (error) {
  console.error(error)
  root.render(<AppFailure />)
}
