// Written by scripts/dashboard-page.
#include "CDashboardPage.h"

static const unsigned char app_css[] = {
#embed "page/app.css"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char js_addresses_js[] = {
#embed "page/js/addresses.js"
};
static const unsigned char js_api_js[] = {
#embed "page/js/api.js"
};
static const unsigned char js_calendar_js[] = {
#embed "page/js/calendar.js"
};
static const unsigned char js_certificates_js[] = {
#embed "page/js/certificates.js"
};
static const unsigned char js_device_js[] = {
#embed "page/js/device.js"
};
static const unsigned char js_devices_js[] = {
#embed "page/js/devices.js"
};
static const unsigned char js_dialog_js[] = {
#embed "page/js/dialog.js"
};
static const unsigned char js_dom_js[] = {
#embed "page/js/dom.js"
};
static const unsigned char js_doses_js[] = {
#embed "page/js/doses.js"
};
static const unsigned char js_editor_js[] = {
#embed "page/js/editor.js"
};
static const unsigned char js_faces_js[] = {
#embed "page/js/faces.js"
};
static const unsigned char js_inputs_js[] = {
#embed "page/js/inputs.js"
};
static const unsigned char js_journeys_js[] = {
#embed "page/js/journeys.js"
};
static const unsigned char js_late_js[] = {
#embed "page/js/late.js"
};
static const unsigned char js_live_js[] = {
#embed "page/js/live.js"
};
static const unsigned char js_main_js[] = {
#embed "page/js/main.js"
};
static const unsigned char js_merged_js[] = {
#embed "page/js/merged.js"
};
static const unsigned char js_merging_js[] = {
#embed "page/js/merging.js"
};
static const unsigned char js_newrecord_js[] = {
#embed "page/js/newrecord.js"
};
static const unsigned char js_news_js[] = {
#embed "page/js/news.js"
};
static const unsigned char js_open_js[] = {
#embed "page/js/open.js"
};
static const unsigned char js_pairing_js[] = {
#embed "page/js/pairing.js"
};
static const unsigned char js_parts_js[] = {
#embed "page/js/parts.js"
};
static const unsigned char js_questions_js[] = {
#embed "page/js/questions.js"
};
static const unsigned char js_rates_js[] = {
#embed "page/js/rates.js"
};
static const unsigned char js_receipts_js[] = {
#embed "page/js/receipts.js"
};
static const unsigned char js_record_js[] = {
#embed "page/js/record.js"
};
static const unsigned char js_records_js[] = {
#embed "page/js/records.js"
};
static const unsigned char js_removal_js[] = {
#embed "page/js/removal.js"
};
static const unsigned char js_removals_js[] = {
#embed "page/js/removals.js"
};
static const unsigned char js_rename_js[] = {
#embed "page/js/rename.js"
};
static const unsigned char js_schema_js[] = {
#embed "page/js/schema.js"
};
static const unsigned char js_sessions_js[] = {
#embed "page/js/sessions.js"
};
static const unsigned char js_splices_js[] = {
#embed "page/js/splices.js"
};
static const unsigned char js_stock_js[] = {
#embed "page/js/stock.js"
};
static const unsigned char js_stream_js[] = {
#embed "page/js/stream.js"
};
static const unsigned char js_table_js[] = {
#embed "page/js/table.js"
};
static const unsigned char js_theme_js[] = {
#embed "page/js/theme.js"
};
static const unsigned char js_themes_js[] = {
#embed "page/js/themes.js"
};
static const unsigned char js_today_js[] = {
#embed "page/js/today.js"
};
static const unsigned char js_trash_js[] = {
#embed "page/js/trash.js"
};
static const unsigned char js_values_js[] = {
#embed "page/js/values.js"
};
static const unsigned char js_warnings_js[] = {
#embed "page/js/warnings.js"
};
static const unsigned char js_why_js[] = {
#embed "page/js/why.js"
};
static const unsigned char js_wishes_js[] = {
#embed "page/js/wishes.js"
};
static const unsigned char js_words_js[] = {
#embed "page/js/words.js"
};
static const unsigned char merging_css[] = {
#embed "page/merging.css"
};
static const unsigned char open_html[] = {
#embed "page/open.html"
};
static const unsigned char parts_css[] = {
#embed "page/parts.css"
};
static const unsigned char screens_css[] = {
#embed "page/screens.css"
};
static const unsigned char today_css[] = {
#embed "page/today.css"
};
static const unsigned char worker_js[] = {
#embed "page/worker.js"
};

static const dashboard_file files[] = {
    {"app.css", "text/css; charset=utf-8", app_css, sizeof app_css},
    {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"js/addresses.js", "text/javascript; charset=utf-8", js_addresses_js, sizeof js_addresses_js},
    {"js/api.js", "text/javascript; charset=utf-8", js_api_js, sizeof js_api_js},
    {"js/calendar.js", "text/javascript; charset=utf-8", js_calendar_js, sizeof js_calendar_js},
    {"js/certificates.js", "text/javascript; charset=utf-8", js_certificates_js, sizeof js_certificates_js},
    {"js/device.js", "text/javascript; charset=utf-8", js_device_js, sizeof js_device_js},
    {"js/devices.js", "text/javascript; charset=utf-8", js_devices_js, sizeof js_devices_js},
    {"js/dialog.js", "text/javascript; charset=utf-8", js_dialog_js, sizeof js_dialog_js},
    {"js/dom.js", "text/javascript; charset=utf-8", js_dom_js, sizeof js_dom_js},
    {"js/doses.js", "text/javascript; charset=utf-8", js_doses_js, sizeof js_doses_js},
    {"js/editor.js", "text/javascript; charset=utf-8", js_editor_js, sizeof js_editor_js},
    {"js/faces.js", "text/javascript; charset=utf-8", js_faces_js, sizeof js_faces_js},
    {"js/inputs.js", "text/javascript; charset=utf-8", js_inputs_js, sizeof js_inputs_js},
    {"js/journeys.js", "text/javascript; charset=utf-8", js_journeys_js, sizeof js_journeys_js},
    {"js/late.js", "text/javascript; charset=utf-8", js_late_js, sizeof js_late_js},
    {"js/live.js", "text/javascript; charset=utf-8", js_live_js, sizeof js_live_js},
    {"js/main.js", "text/javascript; charset=utf-8", js_main_js, sizeof js_main_js},
    {"js/merged.js", "text/javascript; charset=utf-8", js_merged_js, sizeof js_merged_js},
    {"js/merging.js", "text/javascript; charset=utf-8", js_merging_js, sizeof js_merging_js},
    {"js/newrecord.js", "text/javascript; charset=utf-8", js_newrecord_js, sizeof js_newrecord_js},
    {"js/news.js", "text/javascript; charset=utf-8", js_news_js, sizeof js_news_js},
    {"js/open.js", "text/javascript; charset=utf-8", js_open_js, sizeof js_open_js},
    {"js/pairing.js", "text/javascript; charset=utf-8", js_pairing_js, sizeof js_pairing_js},
    {"js/parts.js", "text/javascript; charset=utf-8", js_parts_js, sizeof js_parts_js},
    {"js/questions.js", "text/javascript; charset=utf-8", js_questions_js, sizeof js_questions_js},
    {"js/rates.js", "text/javascript; charset=utf-8", js_rates_js, sizeof js_rates_js},
    {"js/receipts.js", "text/javascript; charset=utf-8", js_receipts_js, sizeof js_receipts_js},
    {"js/record.js", "text/javascript; charset=utf-8", js_record_js, sizeof js_record_js},
    {"js/records.js", "text/javascript; charset=utf-8", js_records_js, sizeof js_records_js},
    {"js/removal.js", "text/javascript; charset=utf-8", js_removal_js, sizeof js_removal_js},
    {"js/removals.js", "text/javascript; charset=utf-8", js_removals_js, sizeof js_removals_js},
    {"js/rename.js", "text/javascript; charset=utf-8", js_rename_js, sizeof js_rename_js},
    {"js/schema.js", "text/javascript; charset=utf-8", js_schema_js, sizeof js_schema_js},
    {"js/sessions.js", "text/javascript; charset=utf-8", js_sessions_js, sizeof js_sessions_js},
    {"js/splices.js", "text/javascript; charset=utf-8", js_splices_js, sizeof js_splices_js},
    {"js/stock.js", "text/javascript; charset=utf-8", js_stock_js, sizeof js_stock_js},
    {"js/stream.js", "text/javascript; charset=utf-8", js_stream_js, sizeof js_stream_js},
    {"js/table.js", "text/javascript; charset=utf-8", js_table_js, sizeof js_table_js},
    {"js/theme.js", "text/javascript; charset=utf-8", js_theme_js, sizeof js_theme_js},
    {"js/themes.js", "text/javascript; charset=utf-8", js_themes_js, sizeof js_themes_js},
    {"js/today.js", "text/javascript; charset=utf-8", js_today_js, sizeof js_today_js},
    {"js/trash.js", "text/javascript; charset=utf-8", js_trash_js, sizeof js_trash_js},
    {"js/values.js", "text/javascript; charset=utf-8", js_values_js, sizeof js_values_js},
    {"js/warnings.js", "text/javascript; charset=utf-8", js_warnings_js, sizeof js_warnings_js},
    {"js/why.js", "text/javascript; charset=utf-8", js_why_js, sizeof js_why_js},
    {"js/wishes.js", "text/javascript; charset=utf-8", js_wishes_js, sizeof js_wishes_js},
    {"js/words.js", "text/javascript; charset=utf-8", js_words_js, sizeof js_words_js},
    {"merging.css", "text/css; charset=utf-8", merging_css, sizeof merging_css},
    {"open.html", "text/html; charset=utf-8", open_html, sizeof open_html},
    {"parts.css", "text/css; charset=utf-8", parts_css, sizeof parts_css},
    {"screens.css", "text/css; charset=utf-8", screens_css, sizeof screens_css},
    {"today.css", "text/css; charset=utf-8", today_css, sizeof today_css},
    {"worker.js", "text/javascript; charset=utf-8", worker_js, sizeof worker_js},
};

size_t dashboard_file_count(void) { return sizeof files / sizeof files[0]; }

dashboard_file dashboard_file_at(size_t index) { return files[index]; }
