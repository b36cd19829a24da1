/** The switch between light, dark, and what the system asks for. */

const dark = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;
const tell = () => document.dispatchEvent(new Event('themechange'));

/** @param {HTMLSelectElement} select */
export function chooseTheme(select) {
  select.value = root.dataset.theme;
  select.onchange = () => {
    root.dataset.theme = select.value;
    if (select.value === 'system') localStorage.removeItem('linnet-theme');
    else localStorage.setItem('linnet-theme', select.value);
    tell();
  };
  dark.addEventListener('change', tell);
}

/** Whether the page is dark now. */
export function isDark() {
  const { theme } = root.dataset;
  return theme === 'system' ? dark.matches : theme === 'dark';
}
